// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/privatised_histogram.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"
#include "evolution/schedule/span.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

namespace {

class HistogramWriter {
public:
  explicit HistogramWriter(const spec::KernelSpec &spec) : spec_(spec) {}
  Outcome run();

private:
  std::optional<std::string> find_update();
  std::string start(const char *width) const;

  const spec::KernelSpec &spec_;
  const Statement *loop_ = nullptr;
  std::vector<Span> spans_;
  Statement update_;
  std::string elements_;
  Sharing sharing_;
};

std::optional<std::string> HistogramWriter::find_update() {
  int updates = 0, stores = 0;
  spec::visit_statements(loop_->body, [&](const Statement &one) {
    stores += one.kind == StatementKind::store;
    if (one.kind != StatementKind::update) return;
    ++updates;
    update_ = one;
  });
  if (updates == 0) return "no element is updated by many";
  if (updates > 1 || stores > 0) return "it writes in more than one place";
  if (spec::is_constant(update_.index, 0)) return "a single element is updated";
  for (const Access &one : all_accesses(loop_->body))
    if (one.buffer == update_.name && !one.stored) return "updated elements are also read";
  if (!is_arithmetic(update_.type) || !spec::identity_of(update_.op, update_.type))
    return "nothing is known that a copy could begin with";
  const auto elements = extent_text(spec_, update_.name);
  if (!elements)
    return fmt::format("how many elements '{}' has does not follow from the sizes", update_.name);
  elements_ = *elements;
  return std::nullopt;
}

std::string HistogramWriter::start(const char *width) const {
  return fmt::format(
      "$update_copies{}<<<kBlocks, kThreads, static_cast<size_t>($elements) * sizeof({}), $l.stream>>>({}, "
      "static_cast<int>($elements));\n",
      sharing_.wide() ? fmt::format("<{}>", width) : "", update_.type, device_arguments(spec_));
}

Outcome HistogramWriter::run() {
  if (spec_.lifted.body.empty()) return refuse(spec_.lifted.missing.reason, spec_.lifted.missing.line);
  const Nest nest = nest_of(spec_.lifted.body);
  const int line = spec_.lifted.body.front().line;
  if (nest.loops.size() != 1) return refuse("the updates are not made in one loop", line);
  loop_ = nest.loops.front();
  if (auto reason = find_update()) return refuse(*reason, line);
  if (auto reason = unsuitable_axes(nest.loops)) return refuse(*reason, line);
  spans_.push_back({.outermost = loop_, .loop = loop_, .certain = true});
  sharing_ = Sharing(spec_, spans_, true, false, "$team");
  Statement changed = *loop_;
  const auto to_copy = [&](auto &&self, std::vector<Statement> &body) -> void {
    for (Statement &one : body) {
      if (one.kind == StatementKind::update) one.name = "$copy";
      self(self, one.body);
      self(self, one.otherwise);
    }
  };
  to_copy(to_copy, changed.body);
  const std::string neutral = neutral_of(update_.op, update_.type);
  Statement flush = update_;
  flush.index = spec::named(ExprKind::value, "$i", "int");
  flush.value = spec::load("$copy", flush.index, update_.type);
  std::string code = sharing_.wide() ? pack_text() + "template <int kWidth>\n" : "";
  code += fmt::format(
      "__global__ void __launch_bounds__(kThreads) $update_copies({0}, int $elements) {{\n"
      "  extern __shared__ {1} $copy[];\n"
      "#pragma unroll 1  // there may be fewer elements than threads\n"
      "  for (int $i = threadIdx.x; $i < $elements; $i += kThreads) $copy[$i] = {2};\n  __syncthreads();\n"
      "  const int $lane = blockIdx.x * kThreads + threadIdx.x, $team = kBlocks * kThreads;\n{3}  "
      "__syncthreads();\n"
      "#pragma unroll 1\n"
      "  for (int $i = threadIdx.x; $i < $elements; $i += kThreads)\n    if ($copy[$i] != {2}) {4}}}\n",
      device_parameters(spec_), update_.type, neutral, indented(sharing_.text(spans_.front(), changed), 2),
      code_of({flush}));
  std::string launch = fmt::format(
      "const long long $elements = {0};\n"
      "if ($elements <= 0 || $elements * sizeof({1}) > 48 * 1024) return false;  // a copy in shared memory\n"
      "if ({2} > 0x7f000000) return false;\n",
      elements_, update_.type, host_text(extent_of(*loop_)));
  launch +=
      sharing_.wide() ? either_start(sharing_.wide_conditions({}), start("kVector"), start("1")) : start("1");
  std::vector<model::Knob> knobs{{"kThreads", {256, 512, 1024}, 512}, {"kBlocks", {132, 264, 528}, 264}};
  if (sharing_.wide()) knobs.push_back(sharing_.vector_knob());
  return variant_of(spec_, "a copy in every block's shared memory, added up at its end", std::move(knobs),
                    code, launch);
}

}  // namespace

Outcome write_privatised_histogram(const spec::KernelSpec &spec) {
  return HistogramWriter(spec).run();
}

}  // namespace cupilot::schedule
