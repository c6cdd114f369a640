// SPDX-License-Identifier: Apache-2.0
//
// The rule block-size alone: the same threads, numbered as before, in blocks of another size. This is legal
// when a thread uses its coordinates only in its global index, because then its block does not matter.

#include <fmt/format.h>

#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/draft.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {
namespace {

struct ThreadUse {
  bool used[3] = {false, false, false};
  std::optional<std::int64_t> block[3];  ///< a constant that the source multiplies blockIdx with
  Edits edits;
  const Node *other = nullptr;  ///< a use of threadIdx and the like outside the global index
};

constexpr char kDimensions[3] = {'x', 'y', 'z'};

struct Text {
  std::string index[3], threads[3];
};

void look(const Node &node, const Text &text, ThreadUse &use, bool alone = false) {
  for (int d = 0; d < 3; ++d) {
    const bool index = is_global_index(node, kDimensions[d], use.block[d]);
    if (!index && !is_total_threads(node, kDimensions[d])) continue;
    use.used[d] = true;
    // A cast around the whole expression stays, because it determines the type in which the index is used.
    if (node.kind == Kind::cast) break;
    use.edits.replace(node, index && !alone ? "(" + text.index[d] + ")"
                            : index         ? text.index[d]
                                            : text.threads[d]);
    return;
  }
  if (node.kind == Kind::builtin && !use.other) use.other = &node;
  for (const Node &child : node.children) look(child, text, use, node.kind == Kind::declare);
}

std::string guard(const ThreadUse &use, const Text &text) {
  std::vector<std::string> outside;
  for (int d = 0; d < 3; ++d)
    if (use.used[d]) outside.push_back(text.index[d] + " >= " + text.threads[d]);
  return "if (" + join(outside, " || ") + ") return;  // threads the original does not have";
}

/// The conditions that launch() checks, then the original's number of threads in each dimension.
std::string checks(const ThreadUse &use, const Text &text) {
  std::string tests, sizes;
  for (int d = 0; d < 3; ++d) {
    const std::string dim(1, kDimensions[d]), total = "1ull * $l.grid." + dim + " * $l.block." + dim;
    if (!use.used[d]) {
      tests += "  if ($l.grid." + dim + " != 1 || $l.block." + dim + " != 1) return false;\n";
      continue;
    }
    if (const auto &block = use.block[d])
      tests += "  if ($l.block." + dim + " != " + std::to_string(*block) + ") return false;\n";
    tests += "  if (" + total + " > " + (d == 0 ? "0x7fffffff" : "65535") + ") return false;\n";
    sizes += "  const unsigned " + text.threads[d] + " = $l.grid." + dim + " * $l.block." + dim + ";\n";
  }
  return tests + sizes;
}

std::string kernel_and_launch(const Job &job, const ThreadUse &use, const Text &text, bool flat,
                              Words words) {
  std::vector<std::string> extra, totals;
  for (int d = 0; d < 3; ++d)
    if (use.used[d]) {
      extra.push_back("unsigned " + text.threads[d]);
      totals.push_back(text.threads[d]);
    }
  const auto with = [](const std::string &list, const std::vector<std::string> &more) {
    return list + (list.empty() || more.empty() ? "" : ", ") + join(more, ", ");
  };
  words["parameters"] = parameter_list(job.kernel);
  words["all_parameters"] = with(parameter_list(job.kernel), extra);
  words["all_arguments"] = with(argument_list(job.kernel), totals);
  words["body"] = statements_text(job.kernel, parts_of(job.kernel.body), use.edits);
  words["body"] = indent(words["body"], 2);
  const std::string block = flat ? "$kThreads" : "32, $kThreads / 32";
  const std::string grid =
      flat ? "($threads_x + $kThreads - 1) / $kThreads"
           : "($threads_x + 31) / 32, ($threads_y + $kThreads / 32 - 1) / ($kThreads / 32)";
  return fill("__global__ void __launch_bounds__($kThreads) $kernel($all_parameters) {\n  " +
                  guard(use, text) + "\n$body\n}\n\nbool launch(const cupilot::Launch &$l, $parameters) {\n" +
                  checks(use, text) + "  const dim3 $block(" + block + "), $grid(" + grid +
                  ");\n"
                  "  $kernel<<<$grid, $block, 0, $l.stream>>>($all_arguments);\n  return true;\n}\n",
              words);
}

}  // namespace

Outcome rewrite_threads(const Job &job) {
  const Effects effects = effects_of(job.kernel, job.kernel.body);
  if (const auto obstacle = cooperation(effects)) return refuse(kBlockSize, obstacle->reason, obstacle->line);
  if (const Node *call = coordinate_call(job.kernel, job.kernel.body))
    return refuse(kBlockSize, fmt::format("'{}' uses thread coordinates", call->text), call->line);
  Names names(job.kernel);
  Words words = fresh_words(names, {"kThreads", "l", "block", "grid", "threads_x", "threads_y", "threads_z"});
  words["kernel"] = names.fresh(job.kernel.name + "_blocks");
  Text text;
  for (int d = 0; d < 3; ++d) text.threads[d] = words.at(std::string("threads_") + kDimensions[d]);
  ThreadUse probe;
  look(job.kernel.body, text, probe);
  if (probe.other)
    return refuse(kBlockSize,
                  fmt::format("the kernel uses {} other than in its global index", probe.other->text),
                  probe.other->line);
  if (!probe.used[0]) return refuse(kBlockSize, "the kernel has no global index along x", job.kernel.line);
  if (probe.used[2])
    return refuse(kBlockSize, "the kernel's index space has three dimensions", job.kernel.line);
  // One warp along x keeps accesses to rows of a 2-D grid coalesced. The knob sets the number of rows per
  // block.
  const bool flat = !probe.used[1];
  const std::string threads = words.at("kThreads");
  text.index[0] = flat ? "blockIdx.x * " + threads + " + threadIdx.x" : "blockIdx.x * 32 + threadIdx.x";
  text.index[1] = "blockIdx.y * (" + threads + " / 32) + threadIdx.y";
  ThreadUse use;
  look(job.kernel.body, text, use);
  if (use.edits.macro_line())
    return refuse(kBlockSize, "the global index comes from a macro", use.edits.macro_line());
  Draft draft;
  draft.what = "blocks of another size, registers bounded to fit";
  draft.knobs.push_back({threads, {64, 128, 256, 512, 1024}, 256});
  draft.code = kernel_and_launch(job, use, text, flat, words);
  return draft;
}

}  // namespace cupilot::rewrite
