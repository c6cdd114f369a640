// SPDX-License-Identifier: Apache-2.0
//
// Kernels with shared tiles. The rule pad-shared alone only edits the user's text. With grid-stride or
// block-size, each phase runs for several of the original's blocks or for several rows of its threads, and
// fetches data for all of them before it stores any.

#include <algorithm>

#include "annotate/rewrite/draft.h"
#include "annotate/rewrite/pad.h"
#include "annotate/rewrite/tiles_shape.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {
namespace {

constexpr std::int64_t kSharedLimit = 48 * 1024;

class TileWriter {
public:
  TileWriter(const Job &job, TileShape shape, Names names, Words words, std::vector<int> block)
      : job_(job),
        kernel_(job.kernel),
        shape_(std::move(shape)),
        words_(std::move(words)),
        block_(std::move(block)),
        tiles_(job.wants(kGridStride)),
        rows_(job.wants(kBlockSize)) {
    for (const Phase &phase : shape_.phases)
      for (const Node *fetch : phase.fetches) held_[fetch] = names.fresh("fetched");
  }
  Outcome run(Edits edits);

private:
  const std::string &name(int variable) const { return kernel_.variables[variable].name; }
  void add_edits(Edits &edits) const;
  std::int64_t shared_bytes() const;
  std::string shared_declarations(Edits edits) const;
  std::string frame(const Phase &phase, const Edits &edits, const std::string &actions) const;
  std::string actions(const Phase &phase, Edits edits, int pass) const;
  std::string phase_text(const Phase &phase, const Edits &edits) const;
  std::string kernel_text(const Edits &edits) const;
  std::string launch_text() const;
  std::vector<Knob> knobs() const;
  const std::string &held(const Node &fetch) const { return held_.at(&fetch); }

  const Job &job_;
  const Kernel &kernel_;
  TileShape shape_;
  Words words_;
  std::vector<int> block_;  ///< block size of the user's launch
  bool tiles_, rows_;
  std::map<const Node *, std::string> held_;  ///< fetch -> name of the registers it is loaded into
};

/// Adapts coordinates and shared arrays to new blocks that stand for several blocks and rows of threads.
void TileWriter::add_edits(Edits &edits) const {
  walk(kernel_.body, [&](const Node &node) {
    if (node.kind == Kind::name && tiles_ && kernel_.variables[node.variable].storage == Storage::shared)
      edits.replace(node, node.text + "[$tile]");
    if (node.kind != Kind::builtin) return;
    const char dimension = node.text.back();
    if (tiles_ && node.text == "blockIdx.x")
      edits.replace(node, "$block_x");
    else if (tiles_ && node.text == "blockIdx.y")
      edits.replace(node, "$block_y");
    else if (tiles_ && node.text.starts_with("gridDim."))
      edits.replace(node, "$grid." + std::string(1, dimension));
    else if (rows_ && node.text == "threadIdx.y")
      edits.replace(node, "$thread_y");
    else if (rows_ && node.text == "blockDim.y")
      edits.replace(node, std::to_string(block_[1]) + "u");
  });
}

std::int64_t TileWriter::shared_bytes() const {
  std::int64_t total = 0;
  for (const Node *statement : shape_.shared)
    for (const Node &one : statement->children) {
      const Type &type = kernel_.variables[one.variable].type;
      std::int64_t bytes = std::max(type.kind == Type::Kind::array ? type.element_bits : type.bits, 8) / 8;
      for (std::size_t i = 0; i < type.extents.size(); ++i)
        bytes *= type.extents[i] + (i + 1 == type.extents.size() && job_.wants(kPadShared) ? 2 : 0);
      total += bytes;
    }
  return total;
}

std::string TileWriter::shared_declarations(Edits edits) const {
  std::string out;
  for (const Node *statement : shape_.shared) {
    if (tiles_)
      for (const Node &one : statement->children) {
        const std::size_t bracket = kernel_.source.find('[', one.begin);
        const std::size_t end = one.type.kind == Type::Kind::array && bracket < one.end ? bracket : one.end;
        const std::size_t at = kernel_.source.rfind(one.text, end);
        edits.replace(at, at + one.text.size(), one.text + "[$kTiles]");
      }
    out += statement_text(kernel_, *statement, edits) + "\n";
  }
  return out;
}

/// The actions of a phase. Pass 1 only fetches into registers, pass 2 stores what was fetched, and pass 0
/// does both.
std::string TileWriter::actions(const Phase &phase, Edits edits, int pass) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; pass && i < phase.fetches.size(); ++i) {
    const Node &fetch = *phase.fetches[i];
    const auto action = std::ranges::find_if(
        phase.actions, [&](const Node *one) { return one->begin <= fetch.begin && fetch.end <= one->end; });
    const Turn turn = turn_of(kernel_, **action, fetch);
    const std::string slot = held(fetch) + "[$part]" + (turn.count > 1 ? "[" + turn.index + "]" : "");
    edits.replace(fetch, pass == 1 ? slot + " = " + text_of(kernel_, fetch.children[1], edits)
                                   : text_of(kernel_, fetch.children[0], edits) + " = " + slot);
    walk(**action, [&](const Node &node) {
      if (node.kind != Kind::for_ || !(node.begin <= fetch.begin && fetch.end <= node.end)) return;
      const std::size_t line = kernel_.source.rfind('\n', node.begin) + 1;
      const bool alone = trim(kernel_.source.substr(line, node.begin - line)).empty();
      edits.replace(
          node.begin, node.begin + 3,
          std::string(alone ? "" : "\n") + "#pragma unroll\n" + std::string(node.begin - line, ' ') + "for");
    });
  }
  return statements_text(kernel_, phase.actions, edits);
}

/// A loop that runs a phase's actions for every tile and row of threads that one thread stands for.
std::string TileWriter::frame(const Phase &phase, const Edits &edits, const std::string &text) const {
  std::string body;
  if (tiles_) {
    const std::string tile = rows_ ? "$part / $kShares" : "$part";
    body += "const int $tile = " + tile + ";\n";
    body += shape_.uses[1] ? "const unsigned $block_x = blockIdx.x * $kTilesX + $tile % $kTilesX;\n"
                             "const unsigned $block_y = blockIdx.y * $kTilesY + $tile / $kTilesX;\n"
                             "if ($block_x >= $grid.x || $block_y >= $grid.y) continue;\n"
                           : "const unsigned $block_x = blockIdx.x * $kTilesX + $tile;\n"
                             "if ($block_x >= $grid.x) continue;\n";
  }
  if (rows_)
    body += "const unsigned $thread_y = threadIdx.y + $part" + std::string(tiles_ ? " % $kShares" : "") +
            " * $kRows;\n";
  for (const Definition &it : phase.before) {
    Type type = kernel_.variables[it.variable].type;
    body += declared(type, name(it.variable)) +
            (it.value ? " = " + text_of(kernel_, *it.value, edits) : std::string()) + ";\n";
  }
  return "#pragma unroll\nfor (int $part = 0; $part < $kParts; ++$part) {\n" + indent(body + text, 2) +
         "\n}\n";
}

std::string TileWriter::phase_text(const Phase &phase, const Edits &edits) const {
  if (phase.actions.empty()) return {};
  if (phase.fetches.empty()) return frame(phase, edits, actions(phase, edits, 0));
  std::string out = "// Everything is under way before the first of it is stored.\n";
  for (std::size_t i = 0; i < phase.fetches.size(); ++i) {
    const Node &fetch = *phase.fetches[i];
    const auto action = std::ranges::find_if(
        phase.actions, [&](const Node *one) { return one->begin <= fetch.begin && fetch.end <= one->end; });
    const Turn turn = turn_of(kernel_, **action, fetch);
    out += fetch.children[0].type.text + " " + held(fetch) + "[$kParts]" +
           (turn.count > 1 ? "[" + std::to_string(turn.count) + "]" : "") + ";\n";
  }
  return out + frame(phase, edits, actions(phase, edits, 1)) + frame(phase, edits, actions(phase, edits, 2));
}

std::string TileWriter::kernel_text(const Edits &edits) const {
  std::string body = shared_declarations(edits);
  for (std::size_t i = 0; i < shape_.phases.size(); ++i)
    body += (i ? "__syncthreads();\n" : "") + phase_text(shape_.phases[i], edits);
  const std::string bounds = block_.empty() ? "" : "__launch_bounds__($kThreads) ";
  return "__global__ void " + bounds + "$kernel($parameters" + (tiles_ ? ", dim3 $grid" : "") + ") {\n" +
         indent(std::string(trim(body)), 2) + "\n}\n";
}

std::string TileWriter::launch_text() const {
  std::string text = "bool launch(const cupilot::Launch &$l, $parameters) {\n";
  if (!block_.empty())
    text += "  if ($l.block.x != " + std::to_string(block_[0]) +
            " || $l.block.y != " + std::to_string(block_[1]) +
            " || $l.block.z != " + std::to_string(block_[2]) + ") return false;\n";
  if (tiles_)
    text += std::string("  const dim3 $blocks(($l.grid.x + $kTilesX - 1) / $kTilesX, ") +
            (shape_.uses[1] ? "($l.grid.y + $kTilesY - 1) / $kTilesY" : "$l.grid.y") + ", $l.grid.z);\n";
  const std::string block =
      rows_ ? "dim3(" + std::to_string(block_[0]) + ", $kRows, " + std::to_string(block_[2]) + ")"
            : "$l.block";
  text += "  $kernel<<<" + std::string(tiles_ ? "$blocks" : "$l.grid") + ", " + block +
          ", 0, $l.stream>>>($arguments" + (tiles_ ? ", $l.grid" : "") + ");\n  return true;\n}\n";
  return text;
}

std::vector<Knob> TileWriter::knobs() const {
  std::vector<Knob> out;
  if (tiles_) {
    const std::int64_t fit = kSharedLimit / std::max<std::int64_t>(shared_bytes(), 1);
    Knob x{words_.at("kTilesX"), {}, 1}, y{words_.at("kTilesY"), {}, 1};
    for (const int value : {1, 2, 4, 8})
      if (value <= fit && value <= (shape_.uses[1] ? 2 : 8)) x.values.push_back(value);
    for (const int value : {1, 2, 4})
      if (value * x.values.back() <= fit) y.values.push_back(value);
    x.value = std::min(2, x.values.back());
    y.value = std::min(2, y.values.back());
    out.push_back(x);
    if (shape_.uses[1]) out.push_back(y);
  }
  if (rows_) {
    Knob rows{words_.at("kRows"), {}, std::min(block_[1], 8)};
    for (int value = 1; value <= block_[1]; value *= 2)
      if (block_[1] % value == 0 && value * block_[0] >= 32) rows.values.push_back(value);
    if (std::ranges::find(rows.values, rows.value) == rows.values.end()) rows.value = rows.values.back();
    out.push_back(rows);
  }
  if (job_.wants(kPadShared)) out.push_back({words_.at("kPad"), {0, 1, 2}, 1});
  return out;
}

Outcome TileWriter::run(Edits edits) {
  add_edits(edits);
  if (edits.macro_line())
    return refuse(tiles_ ? kGridStride : kBlockSize, "a coordinate or a shared array comes from a macro",
                  edits.macro_line());
  Draft draft;
  std::vector<std::string> what;
  if (tiles_) what.push_back("several tiles a block, all fetched before the barrier");
  if (rows_) what.push_back("several rows of threads a thread");
  if (job_.wants(kPadShared)) what.push_back("padded shared rows");
  draft.what = join(what, ", ");
  draft.knobs = knobs();
  std::string head;
  if (tiles_)
    head += std::string("constexpr int $kTiles = $kTilesX") + (shape_.uses[1] ? " * $kTilesY" : "") + ";\n";
  if (rows_)
    head += "constexpr int $kShares = " + std::to_string(block_[1]) +
            " / $kRows;  // rows of threads a thread stands for\n";
  head += std::string("constexpr int $kParts = ") +
          (tiles_ && rows_ ? "$kTiles * $kShares"
           : tiles_        ? "$kTiles"
                           : "$kShares") +
          ";\n";
  if (!block_.empty())
    head += "constexpr int $kThreads = " + std::to_string(block_[0] * block_[2]) + " * " +
            (rows_ ? "$kRows" : std::to_string(block_[1])) + ";\n";
  draft.code = fill(head + "\n" + kernel_text(edits) + "\n" + launch_text(), words_);
  return draft;
}

/// The rule pad-shared alone: the user's kernel with padded rows.
Outcome only_padded(const Job &job, const Words &words, const Edits &edits) {
  Draft draft;
  draft.what = "padded shared rows";
  draft.knobs.push_back({words.at("kPad"), {0, 1, 2}, 1});
  const std::string body = indent(statements_text(job.kernel, parts_of(job.kernel.body), edits), 2);
  draft.code =
      "__global__ void " + words.at("kernel") + "(" + parameter_list(job.kernel) + ") {\n" + body +
      "\n}\n\n" +
      fill(
          "bool launch(const cupilot::Launch &$l, $parameters) {\n"
          "  $kernel<<<$l.grid, $l.block, $l.shared_bytes, $l.stream>>>($arguments);\n  return true;\n}\n",
          words);
  return draft;
}

}  // namespace

Outcome rewrite_tiles(const Job &job) {
  Names names(job.kernel);
  Words words =
      fresh_words(names, {"kTilesX", "kTilesY", "kRows", "kPad", "kTiles", "kShares", "kParts", "kThreads",
                          "part", "tile", "block_x", "block_y", "thread_y", "grid", "blocks", "l"});
  words["kernel"] = names.fresh(job.kernel.name + (job.wants(kGridStride) ? "_tiles" : "_padded"));
  words["parameters"] = parameter_list(job.kernel);
  words["arguments"] = argument_list(job.kernel);
  Edits edits;
  if (job.wants(kPadShared))
    if (const auto against = pad_shared(job.kernel, words["kPad"], edits))
      return refuse(kPadShared, against->reason, against->line);
  if (!job.wants(kGridStride) && !job.wants(kBlockSize)) return only_padded(job, words, edits);
  const char *rule = job.wants(kGridStride) ? kGridStride : kBlockSize;
  auto shape = tile_shape(job.kernel);
  if (!shape) return refuse(rule, shape.error().reason, shape.error().line);
  std::vector<int> block = constant_block(job.spec);
  if (job.wants(kBlockSize) && (block.empty() || block[1] < 2))
    return refuse(
        kBlockSize,
        "rows of threads can be distributed only when every launch has the same block of two or more rows",
        job.kernel.line);
  return TileWriter(job, std::move(*shape), std::move(names), words, std::move(block)).run(std::move(edits));
}

}  // namespace cupilot::rewrite
