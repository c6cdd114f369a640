// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/scan_rows_with_carry.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"
#include "evolution/schedule/span.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::LoopKind;
using spec::Statement;
using spec::StatementKind;

namespace {

class ScanWriter {
public:
  explicit ScanWriter(const spec::KernelSpec &spec)
      : spec_(spec), nest_(nest_of(spec.lifted.body)), values_(typical_values(spec)) {}
  Outcome run();

private:
  std::optional<std::string> find_parts();
  std::optional<std::string> check_accesses() const;
  std::string with_running(const std::vector<Statement> &body, const std::string &before,
                           const std::string &after, std::size_t fold) const;
  std::string folded(const std::string &target, const std::string &value) const;
  std::string items_text() const;
  std::string outputs_text() const;
  std::string rows_text() const;
  std::string columns_text() const;
  std::string launch_text() const;

  const spec::KernelSpec &spec_;
  Nest nest_;
  Values values_;
  const Statement *running_ = nullptr;  ///< the variable
  Statement loop_;                      ///< in order; folds that only some elements do are all elements'
  bool looped_ = false;
  std::size_t fold_ = 0;  ///< its place in the loop's body
  bool columns_ = false;  ///< neighbours in memory belong to different rows
};

std::optional<std::string> ScanWriter::find_parts() {
  for (const Statement &one : *nest_.body) {
    if (one.kind == StatementKind::loop) {
      if (looped_) return "a row has more than one loop";
      loop_ = one;
      looped_ = true;
    } else if (one.kind == StatementKind::variable && running_ == nullptr && !looped_) {
      running_ = &one;
    } else {
      return "a row does more than run over its elements";
    }
  }
  if (!looped_ || running_ == nullptr || loop_.loop != LoopKind::ordered)
    return "no element of a row is made from the one before";
  for (Statement &one : loop_.body) {
    // Who does not fold folds what changes nothing.
    const bool only = one.kind == StatementKind::branch && one.otherwise.empty() && one.body.size() == 1 &&
                      one.body[0].kind == StatementKind::fold;
    const auto nothing = only ? spec::identity_of(one.body[0].op, one.body[0].type) : std::nullopt;
    if (!nothing) continue;
    Statement fold = one.body[0];
    const Expr neutral{ExprKind::constant, *nothing, fold.type, {}};
    fold.value = Expr{ExprKind::select, "", fold.type, {one.value, fold.value, neutral}};
    one = std::move(fold);
  }
  int folds = 0;
  for (std::size_t i = 0; i < loop_.body.size(); ++i) {
    const Statement &one = loop_.body[i];
    if (one.kind == StatementKind::fold && one.name == running_->name) {
      ++folds;
      fold_ = i;
      if (spec::mentions(one.value, running_->name)) return "what is folded depends on what came before";
    } else if (one.kind != StatementKind::value && one.kind != StatementKind::store) {
      return "an element does more than go on from the one before";
    } else if (one.kind == StatementKind::value && spec::mentions(one.value, running_->name) && folds == 0) {
      return "what is folded may depend on what came before";
    }
  }
  if (folds != 1) return "it is no fold that goes from one element to the next";
  const Statement &fold = loop_.body[fold_];
  if (!spec::identity_of(fold.op, fold.type) || !is_arithmetic(fold.type) || fold.keeps_nan)
    return "nothing is known that the fold could begin with";
  if (!spec::is_constant(loop_.begin, 0) || !spec::is_constant(loop_.step, 1))
    return "the loop does not begin at 0";
  return std::nullopt;
}

/// Elements of a written array are read only where they are written.
std::optional<std::string> ScanWriter::check_accesses() const {
  const std::vector<Access> all = all_accesses(loop_.body);
  for (const Access &one : all)
    for (const Access &other : all)
      if (one.stored && one.buffer == other.buffer && !same_index(one.index, other.index))
        return fmt::format("elements of '{}' are written and others of them read", one.buffer);
  return std::nullopt;
}

/// The statements but the fold, where the running value has a name before it and another after it.
std::string ScanWriter::with_running(const std::vector<Statement> &body, const std::string &before,
                                     const std::string &after, std::size_t fold) const {
  std::string text;
  for (std::size_t i = 0; i < body.size(); ++i)
    if (i != fold)
      text += code_of({body[i]}, [&](const Expr &part) -> std::optional<std::string> {
        const bool own = part.kind == ExprKind::value && part.text == running_->name;
        return own ? std::optional(i < fold ? before : after) : std::nullopt;
      });
  return text;
}

/// Of one value of type T: "total += value;".
std::string ScanWriter::folded(const std::string &target, const std::string &value) const {
  const Statement &fold = loop_.body[fold_];
  std::string text = fold_text(target, fold.op, fold.type, value);
  text.pop_back();
  return text;
}

/// A thread's elements of a round, and what they are together.
std::string ScanWriter::items_text() const {
  const Statement &fold = loop_.body[fold_];
  std::vector<Statement> needed(loop_.body.begin(), loop_.body.begin() + static_cast<std::ptrdiff_t>(fold_));
  std::erase_if(needed, [](const Statement &one) { return one.kind != StatementKind::value; });
  return fmt::format(
      "{0} $item[kItems], $total = {1};\n"
      "#pragma unroll\nfor (int $i = 0; $i < kItems; ++$i) {{\n"
      "  const {2} {3} = $mine + $i;\n  $item[$i] = {1};\n  if ({4}{3} < {5}) {{\n{6}    $item[$i] = {7};\n  "
      "}}\n"
      "  {8}\n}}\n",
      fold.type, neutral_of(fold.op, fold.type), loop_.type, loop_.name, columns_ ? "$inside && " : "",
      spec::to_text(loop_.end), indented(code_of(needed), 4), spec::to_text(fold.value),
      folded("$total", "$item[$i]"));
}

/// What is made of each of them, once it is known in `$start` what comes before the first.
std::string ScanWriter::outputs_text() const {
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < kItems; ++$i) {{\n"
      "  const {0} {1} = $mine + $i;\n  const {2} $earlier = $start;\n  {3}\n"
      "  if ({4}{1} < {5}) {{\n{6}  }}\n}}\n",
      loop_.type, loop_.name, loop_.body[fold_].type, folded("$start", "$item[$i]"),
      columns_ ? "$inside && " : "", spec::to_text(loop_.end),
      indented(with_running(loop_.body, "$earlier", "$start", fold_), 4));
}

std::string ScanWriter::rows_text() const {
  const Statement &fold = loop_.body[fold_];
  const std::string neutral = neutral_of(fold.op, fold.type), type = fold.type;
  std::string text = fmt::format(
      "constexpr int kWarps = kTeam / 32;\n\n"
      "__global__ void __launch_bounds__(kTeam) $rows_by_rounds({}, unsigned $rows) {{\n",
      device_parameters(spec_));
  std::string body = "unsigned $row = blockIdx.x;\n" + unpack_text(nest_.loops, "$row", true);
  body += fmt::format(
      "__shared__ {0} $shares[2][kWarps];\n"
      "const int $lane = threadIdx.x % 32, $warp = threadIdx.x / 32;\n"
      "{0} $carry = {1};\nint $buffer = 0;\n",
      type, spec::to_text(running_->value));
  std::string round = "const int $mine = $first + threadIdx.x * kItems;\n" + items_text();
  round += fmt::format(
      "// What the threads before this one have, first in its warp.\n"
      "{0} $before = $total;\n"
      "#pragma unroll\nfor (int $step = 1; $step < 32; $step *= 2) {{\n"
      "  const {0} $other = __shfl_up_sync(~0u, $before, $step);\n  if ($lane >= $step) {1}\n}}\n"
      "if ($lane == 31) $shares[$buffer][$warp] = $before;\n"
      "$before = __shfl_up_sync(~0u, $before, 1);\nif ($lane == 0) $before = {2};\n"
      "__syncthreads();\n"
      "{0} $start = $carry;\n"
      "for (int $w = 0; $w < kWarps; ++$w) {{\n  if ($w < $warp) {3}\n  {4}\n}}\n{5}\n"
      "$buffer ^= 1;\n",
      type, folded("$before", "$other"), neutral, folded("$start", "$shares[$buffer][$w]"),
      folded("$carry", "$shares[$buffer][$w]"), folded("$start", "$before"));
  round += outputs_text();
  body += fmt::format("for (int $first = 0; $first < {}; $first += kTeam * kItems) {{\n{}}}\n",
                      spec::to_text(loop_.end), indented(round, 2));
  return text + indented(body, 2) + "}\n";
}

/// Where neighbours in memory belong to different rows: a block takes as many of them as a warp has lanes,
/// and its warps take parts of these rows one behind the other.
std::string ScanWriter::columns_text() const {
  const std::string type = loop_.body[fold_].type;
  std::string text = fmt::format(
      "__global__ void __launch_bounds__(kAcross * kDown) $columns_by_rounds({}, unsigned $rows) {{\n",
      device_parameters(spec_));
  std::string body =
      "unsigned $row = blockIdx.x * kAcross + threadIdx.x;\nconst bool $inside = $row < $rows;\n"
      "if (!$inside) $row = 0;\n" +
      unpack_text(nest_.loops, "$row", true);
  body += fmt::format("__shared__ {0} $shares[2][kDown][kAcross];\n{0} $carry = {1};\nint $buffer = 0;\n",
                      type, spec::to_text(running_->value));
  std::string round = "const int $mine = $first + threadIdx.y * kItems;\n" + items_text();
  round += fmt::format(
      "$shares[$buffer][threadIdx.y][threadIdx.x] = $total;\n__syncthreads();\n"
      "{0} $start = $carry;\n"
      "#pragma unroll\nfor (int $y = 0; $y < kDown; ++$y) {{\n"
      "  const {0} $share = $shares[$buffer][$y][threadIdx.x];\n  if ($y < threadIdx.y) {1}\n  {2}\n}}\n"
      "$buffer ^= 1;\n",
      type, folded("$start", "$share"), folded("$carry", "$share"));
  round += outputs_text();
  body += fmt::format("for (int $first = 0; $first < {}; $first += kDown * kItems) {{\n{}}}\n",
                      spec::to_text(loop_.end), indented(round, 2));
  return text + indented(body, 2) + "}\n";
}

std::string ScanWriter::launch_text() const {
  std::string text;
  for (const Statement *axis : nest_.loops)
    text += fmt::format("if ({} <= 0) return false;\n", host_text(extent_of(*axis)));
  text += fmt::format(
      "const long long $rows = {};\n"
      "if ($rows > 0x7fffffff || {} > 0x7fff0000) return false;\n",
      host_text(count_of(nest_.loops)), host_text(loop_.end));
  return text +
         fmt::format(
             fmt::runtime(
                 columns_ ? "$columns_by_rounds<<<static_cast<unsigned>(($rows + kAcross - 1) / kAcross), "
                            "dim3(kAcross, kDown), 0, $l.stream>>>({}, static_cast<unsigned>($rows));\n"
                          : "$rows_by_rounds<<<static_cast<unsigned>($rows), kTeam, 0, $l.stream>>>({}, "
                            "static_cast<unsigned>($rows));\n"),
             device_arguments(spec_));
}

Outcome ScanWriter::run() {
  if (spec_.lifted.body.empty()) return refuse(spec_.lifted.missing.reason, spec_.lifted.missing.line);
  const int line = spec_.lifted.body.front().line;
  if (nest_.loops.empty()) return refuse("it has no rows that are independent of each other", line);
  if (auto reason = find_parts()) return refuse(*reason, line);
  if (auto reason = check_accesses()) return refuse(*reason, line);
  if (auto reason = unsuitable_axes(nest_.loops)) return refuse(*reason, line);
  const double length = value_of(loop_.end, values_).value_or(1024);
  std::vector<Span> spans{{.outermost = &loop_, .loop = &loop_}};
  if (const Statement *direction = find_direction(nest_, spans)) {
    columns_ = true;
    std::ranges::stable_partition(nest_.loops, [&](const Statement *axis) { return axis != direction; });
    const double rows = value_of(count_of(nest_.loops), values_).value_or(16384);
    return variant_of(spec_, "a block for neighbouring rows, in rounds that go on from each other",
                      {{"kAcross", {32, 64}, 32},
                       {"kDown", {2, 4, 8, 16}, rows > 100'000 ? 2 : 8},
                       {"kItems", {2, 4, 8, 16}, 8}},
                      columns_text(), launch_text());
  }
  const long long team = length >= 2048 ? 256 : length >= 512 ? 128 : 32;
  return variant_of(spec_, "a team of threads a row, in rounds that go on from each other",
                    {{"kTeam", {32, 64, 128, 256, 512, 1024}, team}, {"kItems", {1, 2, 4, 8, 16}, 4}},
                    rows_text(), launch_text());
}

}  // namespace

Outcome write_scan_rows_with_carry(const spec::KernelSpec &spec) {
  return ScanWriter(spec).run();
}

}  // namespace cupilot::schedule
