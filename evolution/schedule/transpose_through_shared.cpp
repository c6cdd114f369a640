// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/transpose_through_shared.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

namespace {

class TileWriter {
public:
  explicit TileWriter(const spec::KernelSpec &spec) : spec_(spec), nest_(nest_of(spec.lifted.body)) {}
  Outcome run();

private:
  std::optional<std::string> find_axes();
  std::string kernel_text() const;
  std::string launch_text() const;

  const spec::KernelSpec &spec_;
  Nest nest_;
  const Statement *out_ = nullptr, *in_ = nullptr;  ///< along which outputs, and inputs, lie together
  std::vector<const Statement *> others_;
  std::vector<Access> across_;  ///< read along `in_`
};

std::optional<std::string> TileWriter::find_axes() {
  const std::vector<Access> all = all_accesses(*nest_.body), certain = certain_accesses(*nest_.body);
  std::optional<Access> stored;
  for (const Access &one : all) {
    if (!one.stored) continue;
    if (stored) return "an element is written in several places";
    stored = one;
  }
  if (!stored) return "the kernel writes nothing that the source shows";
  for (const Statement *axis : nest_.loops)
    if (is_unit(stored->index, axis->name)) out_ = axis;
  if (out_ == nullptr) return "outputs do not lie together";
  for (const Access &one : certain) {
    if (one.stored || is_unit(one.index, out_->name) || !spec::mentions(one.index, out_->name)) continue;
    for (const Statement *axis : nest_.loops)
      if (axis != out_ && is_unit(one.index, axis->name) && (in_ == nullptr || in_ == axis)) {
        in_ = axis;
        if (std::ranges::none_of(across_, [&](const Access &known) {
              return known.buffer == one.buffer && same_index(known.index, one.index);
            }))
          across_.push_back(one);
      }
  }
  if (in_ == nullptr) return "inputs lie together along the same axis as outputs";
  for (const Access &one : across_)
    if (one.buffer == stored->buffer) return "an element of the same array is read and written";
  for (const Statement *axis : nest_.loops)
    if (axis != out_ && axis != in_) others_.push_back(axis);
  if (!spec::is_constant(out_->begin, 0) || !spec::is_constant(in_->begin, 0))
    return "an axis does not begin at 0";
  return std::nullopt;
}

std::string TileWriter::kernel_text() const {
  const std::string outs = spec::to_text(extent_of(*out_)), ins = spec::to_text(extent_of(*in_));
  std::string text = fmt::format(
      "constexpr int kTile = 32;\n\n__global__ void __launch_bounds__(kTile * kRows) $tiles({}) {{\n",
      device_parameters(spec_));
  std::string body, loads;
  for (std::size_t i = 0; i < across_.size(); ++i) {
    body +=
        fmt::format("__shared__ {} $tile{}[kTile][kTile + 1];  // one more: columns are in different banks\n",
                    across_[i].type, i);
    loads += fmt::format("$tile{}[$j][threadIdx.x] = {}[{}];\n", i, across_[i].buffer,
                         spec::to_text(across_[i].index));
  }
  body += fmt::format(
      "const int $across = ({} + kTile - 1) / kTile, $down = ({} + kTile - 1) / kTile;\n"
      "const int $first_out = blockIdx.x / $across % $down * kTile, $first_in = blockIdx.x % $across * "
      "kTile;\n",
      ins, outs);
  if (!others_.empty())
    body += "int $rest = blockIdx.x / $across / $down;\n" + unpack_text(others_, "$rest", false);
  body += fmt::format(
      "#pragma unroll\nfor (int $j = threadIdx.y; $j < kTile; $j += kRows) {{\n"
      "  const int {0} = $first_in + threadIdx.x, {1} = $first_out + $j;\n"
      "  if ({0} < {2} && {1} < {3}) {{\n{4}  }}\n}}\n__syncthreads();\n",
      in_->name, out_->name, ins, outs, indented(loads, 4));
  const std::string element = code_of(*nest_.body, [&](const Expr &part) -> std::optional<std::string> {
    if (part.kind != ExprKind::load) return std::nullopt;
    for (std::size_t i = 0; i < across_.size(); ++i)
      if (across_[i].buffer == part.text && same_index(across_[i].index, part.parts[0]))
        return fmt::format("$tile{}[threadIdx.x][$j]", i);
    return std::nullopt;
  });
  body += fmt::format(
      "#pragma unroll\nfor (int $j = threadIdx.y; $j < kTile; $j += kRows) {{\n"
      "  const int {0} = $first_in + $j, {1} = $first_out + threadIdx.x;\n"
      "  if ({0} < {2} && {1} < {3}) {{\n{4}  }}\n}}\n",
      in_->name, out_->name, ins, outs, indented(element, 4));
  return text + indented(body, 2) + "}\n";
}

std::string TileWriter::launch_text() const {
  std::string text;
  for (const Statement *axis : nest_.loops)
    text += fmt::format("if ({} <= 0) return false;\n", host_text(extent_of(*axis)));
  text += fmt::format(
      "const long long $outs = {}, $ins = {};\n"
      "const long long $blocks = ($outs + kTile - 1) / kTile * (($ins + kTile - 1) / kTile){};\n"
      "if ($outs > 0x7fffff00 || $ins > 0x7fffff00 || $blocks > 0x7fffffff) return false;\n",
      host_text(extent_of(*out_)), host_text(extent_of(*in_)),
      others_.empty() ? "" : fmt::format(" * ({})", host_text(count_of(others_))));
  return text +
         fmt::format("$tiles<<<static_cast<unsigned>($blocks), dim3(kTile, kRows), 0, $l.stream>>>({});\n",
                     device_arguments(spec_));
}

Outcome TileWriter::run() {
  if (spec_.lifted.body.empty()) return refuse(spec_.lifted.missing.reason, spec_.lifted.missing.line);
  const int line = spec_.lifted.body.front().line;
  if (nest_.loops.size() < 2) return refuse("elements have fewer than two axes", line);
  if (auto reason = find_axes()) return refuse(*reason, line);
  if (auto reason = unsuitable_axes(nest_.loops)) return refuse(*reason, line);
  return variant_of(spec_, "tiles through shared memory", {{"kRows", {4, 8, 16, 32}, 8}}, kernel_text(),
                    launch_text());
}

}  // namespace

Outcome write_transpose_through_shared(const spec::KernelSpec &spec) {
  return TileWriter(spec).run();
}

}  // namespace cupilot::schedule
