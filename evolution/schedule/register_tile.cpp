// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/register_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/contraction.h"
#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

namespace {

using Axes = std::vector<const Statement *>;

class ProductWriter {
public:
  ProductWriter(const spec::KernelSpec &spec, Contraction form)
      : spec_(spec), form_(std::move(form)), values_(typical_values(spec)) {}
  Outcome run();

private:
  std::vector<const spec::Parameter *> needed_by(const Operand &side) const;
  std::string operand_text(const char *name, const Operand &side) const;
  std::string load_text(const char *name, const char *tile, const char *count, const Operand &side) const;
  std::string store_text(const char *name, const char *tile, const Operand &side) const;
  std::string threads_code() const;
  std::string epilogue(const std::string &total) const;
  std::string kernel_text() const;
  std::string launch_text() const;
  std::vector<model::Knob> knobs() const;
  double typical(const Axes &axes) const { return value_of(count_of(axes), values_).value_or(1024); }
  std::string batch_arguments(bool declared) const;

  const spec::KernelSpec &spec_;
  Contraction form_;
  Values values_;
  FixedSizes fixed_;
};

/// What an operand's elements are computed from.
std::vector<const spec::Parameter *> ProductWriter::needed_by(const Operand &side) const {
  std::set<std::string> names;
  const auto look = [&](const Expr &expr) {
    spec::visit(expr, [&](const Expr &part) { names.insert(part.text); });
  };
  look(side.element);
  for (const Expr &one : side.conditions) look(one);
  for (const Axes *axes : {&side.axes, &std::as_const(form_.sum)})
    for (const Statement *axis : *axes)
      for (const Expr *expr : {&axis->begin, &axis->end}) look(*expr);
  std::vector<const spec::Parameter *> needed;
  for (const spec::Parameter &one : spec_.parameters)
    if (names.contains(one.name)) needed.push_back(&one);
  return needed;
}

std::string ProductWriter::batch_arguments(bool declared) const {
  std::string text;
  for (const Statement *axis : form_.batch) text += (declared ? ", int " : ", ") + axis->name;
  return text;
}

/// The function that gives an element of an operand from its place among the outputs and in the sum.
std::string ProductWriter::operand_text(const char *name, const Operand &side) const {
  std::string conditions = fmt::format("$place >= {} || $term >= {}", spec::to_text(count_of(side.axes)),
                                       spec::to_text(count_of(form_.sum)));
  std::string inner =
      fmt::format("int $outer = $place, $inner = $term;\n{}{}", unpack_text(side.axes, "$outer", false),
                  unpack_text(form_.sum, "$inner", false));
  std::string tests;
  for (const Expr &one : side.conditions) tests += (tests.empty() ? "" : " && ") + spec::to_text(one);
  const std::string element = spec::to_text(side.element);
  std::string given;
  for (const spec::Parameter *one : needed_by(side))
    given += (given.empty() ? "" : ", ") + declaration_text(*one, one->name);
  inner += side.conditions.empty() ? fmt::format("return {};\n", element)
                                   : fmt::format("return {} ? {} : {}(0);\n", tests, element, form_.type);
  return fmt::format(
      "/// An element of the {0} operand; zero outside of it.\n__device__ __forceinline__ {1} {0}({2}{3}, "
      "int $place, "
      "int $term) {{\n  if ({4}) return 0;\n{5}}}\n\n",
      name, form_.type, given, batch_arguments(true), conditions, indented(inner, 2));
}

/// One thread's part of a tile from memory to registers, neighbours in memory by neighbouring threads.
std::string ProductWriter::load_text(const char *name, const char *tile, const char *first,
                                     const Operand &side) const {
  const std::string place = side.along_sum ? "$at / kTileK" : fmt::format("$at % {}", tile);
  const std::string term = side.along_sum ? "$at % kTileK" : fmt::format("$at / {}", tile);
  std::string given;
  for (const spec::Parameter *one : needed_by(side)) given += (given.empty() ? "" : ", ") + one->name;
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {1} * kTileK / kThreads; ++$i) {{\n"
      "  const int $at = $i * kThreads + $thread;\n"
      "  ${0}_next[$i] = {0}({2}{3}, {4} + {5}, $term + {6});\n}}\n",
      name, tile, given, batch_arguments(false), first, place, term);
}

std::string ProductWriter::store_text(const char *name, const char *tile, const Operand &side) const {
  const std::string place = side.along_sum ? "$at / kTileK" : fmt::format("$at % {}", tile);
  const std::string term = side.along_sum ? "$at % kTileK" : fmt::format("$at / {}", tile);
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {1} * kTileK / kThreads; ++$i) {{\n"
      "  const int $at = $i * kThreads + $thread;\n"
      "  ${0}_tile[$buffer][{2}][{3}] = ${0}_next[$i];\n}}\n",
      name, tile, term, place);
}

/// What is done with one output, whose place in both operands is known.
std::string ProductWriter::epilogue(const std::string &total) const {
  return code_of(form_.epilogue, [&](const Expr &part) -> std::optional<std::string> {
    return part.kind == ExprKind::value && part.text == form_.total ? std::optional(total) : std::nullopt;
  });
}

/// A thread's outputs are in groups of four, so that it reads its part of a tile in wide accesses.
std::string ProductWriter::threads_code() const {
  return fmt::format(
      "#pragma unroll\nfor (int $k = 0; $k < kTileK; ++$k) {{\n"
      "  {0} $left_part[kM], $right_part[kN];\n"
      "  #pragma unroll\n  for (int $i = 0; $i < kM; $i += 4)\n"
      "    reinterpret_cast<Four &>($left_part[$i]) =\n"
      "        reinterpret_cast<const Four &>($left_tile[$buffer][$k][$i * (kTileM / kM) + $down * 4]);\n"
      "  #pragma unroll\n  for (int $j = 0; $j < kN; $j += 4)\n"
      "    reinterpret_cast<Four &>($right_part[$j]) =\n"
      "        reinterpret_cast<const Four &>($right_tile[$buffer][$k][$j * (kTileN / kN) + $across * 4]);\n"
      "  #pragma unroll\n  for (int $i = 0; $i < kM; ++$i)\n    #pragma unroll\n"
      "    for (int $j = 0; $j < kN; ++$j) $total[$i][$j] += $left_part[$i] * $right_part[$j];\n}}\n",
      form_.type);
}

std::string ProductWriter::kernel_text() const {
  const std::string lefts = spec::to_text(count_of(form_.left.axes)),
                    rights = spec::to_text(count_of(form_.right.axes));
  const std::string terms = spec::to_text(count_of(form_.sum));
  std::string text = fmt::format(
      "struct alignas(4 * sizeof({0})) Four {{\n  {0} item[4];\n}};\n"
      "constexpr int kThreads = kTileM / kM * (kTileN / kN);\n\n",
      form_.type);
  text += operand_text("left", form_.left) + operand_text("right", form_.right);
  text += fmt::format("__global__ void __launch_bounds__(kThreads) product({}) {{\n",
                      parameters_without(spec_, fixed_));
  std::string body = fixed_constants(fixed_);
  body += fmt::format(
      "__shared__ __align__(32) {0} $left_tile[2][kTileK][kTileM + 4], $right_tile[2][kTileK][kTileN + 4];\n"
      "const int $thread = threadIdx.x, $down = $thread / (kTileN / kN), $across = $thread % (kTileN / kN);\n"
      "const int $tiles_across = ({1} + kTileN - 1) / kTileN, $tiles_down = ({2} + kTileM - 1) / "
      "kTileM;\n"
      "const int $first_right = blockIdx.x % $tiles_across * kTileN;\n"
      "const int $first_left = blockIdx.x / $tiles_across % $tiles_down * kTileM;\n",
      form_.type, rights, lefts);
  if (!form_.batch.empty())
    body +=
        "int $rest = blockIdx.x / $tiles_across / $tiles_down;\n" + unpack_text(form_.batch, "$rest", false);
  body += fmt::format(
      "{0} $left_next[kTileM * kTileK / kThreads], $right_next[kTileN * kTileK / kThreads], $total[kM][kN] = "
      "{{}};\n"
      "int $term = 0, $buffer = 0;\n",
      form_.type);
  const std::string loads = load_text("left", "kTileM", "$first_left", form_.left) +
                            load_text("right", "kTileN", "$first_right", form_.right);
  const std::string stores =
      store_text("left", "kTileM", form_.left) + store_text("right", "kTileN", form_.right);
  body += loads + stores + "__syncthreads();\n";
  // While a tile is computed with, the next one is on its way.
  body += fmt::format(
      "for ($term = kTileK;; $term += kTileK) {{\n  if ($term < {0}) {{\n{1}  }}\n{2}"
      "  if ($term >= {0}) break;\n  $buffer ^= 1;\n{3}  __syncthreads();\n}}\n",
      terms, indented(loads, 4), indented(threads_code(), 2), indented(stores, 2));
  body += fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < kM; ++$i) {{\n"
      "  int $outer = $first_left + $i / 4 * (kTileM / kM * 4) + $down * 4 + $i % 4;\n"
      "  if ($outer >= {0}) continue;\n{1}"
      "  #pragma unroll\n  for (int $j = 0; $j < kN; ++$j) {{\n"
      "    int $inner = $first_right + $j / 4 * (kTileN / kN * 4) + $across * 4 + $j % 4;\n"
      "    if ($inner >= {2}) continue;\n{3}{4}  }}\n}}\n",
      lefts, indented(unpack_text(form_.left.axes, "$outer", false), 2), rights,
      indented(unpack_text(form_.right.axes, "$inner", false), 4), indented(epilogue("$total[$i][$j]"), 4));
  return text + indented(body, 2) + "}\n";
}

std::string ProductWriter::launch_text() const {
  std::string text;
  for (const Axes *axes : {&form_.batch, &form_.left.axes, &form_.right.axes, &form_.sum})
    for (const Statement *axis : *axes)
      text += fmt::format("if ({} <= 0) return false;\n", host_text(extent_of(*axis)));
  text += fmt::format(
      "const long long $lefts = {}, $rights = {}, $terms = {};\n"
      "const long long $blocks = ($lefts + kTileM - 1) / kTileM * (($rights + kTileN - 1) / kTileN){};\n"
      "if ($lefts > 0x7fffff00 || $rights > 0x7fffff00 || $terms > 0x7fffff00 || $blocks > 0x7fffffff) "
      "return false;\n",
      host_text(count_of(form_.left.axes)), host_text(count_of(form_.right.axes)),
      host_text(count_of(form_.sum)),
      form_.batch.empty() ? "" : fmt::format(" * ({})", host_text(count_of(form_.batch))));
  text += fixed_checks(fixed_);
  return text + fmt::format("product<<<static_cast<unsigned>($blocks), kThreads, 0, $l.stream>>>({});\n",
                            argument_list(spec_));
}

std::vector<model::Knob> ProductWriter::knobs() const {
  constexpr double kMultiprocessors = 132;
  double lefts = typical(form_.left.axes), rights = typical(form_.right.axes);
  const double batch = form_.batch.empty() ? 1 : typical(form_.batch);
  long long m = 128, n = 128;
  const auto tiles = [&] {
    return std::ceil(lefts / static_cast<double>(m)) * std::ceil(rights / static_cast<double>(n)) * batch;
  };
  while (m > 32 && static_cast<double>(m) / 2 >= lefts) m /= 2;
  while (n > 32 && static_cast<double>(n) / 2 >= rights) n /= 2;
  while (tiles() < kMultiprocessors && (m > 32 || n > 32)) (m >= n ? m : n) /= 2;
  const long long own = m * n >= 128 * 64 ? 8 : 4;
  return {
      {"kTileM", {32, 64, 128}, m},
      {"kTileN", {32, 64, 128}, n},
      {"kTileK", form_.type == "double" ? std::vector<long long>{4, 8} : std::vector<long long>{8, 16}, 8},
      {"kM", {4, 8}, own},
      {"kN", {4, 8}, own}};
}

Outcome ProductWriter::run() {
  const int line = spec_.lifted.body.front().line;
  if (form_.type != "float" && form_.type != "double")
    return refuse("its sums are neither float nor double", line);
  for (const Axes *axes : {&form_.batch, &form_.left.axes, &form_.right.axes, &form_.sum})
    if (auto reason = unsuitable_axes(*axes)) return refuse(*reason, line);
  Axes tile = form_.left.axes;
  tile.insert(tile.end(), form_.right.axes.begin(), form_.right.axes.end());
  for (const Statement *axis : tile)
    if (asks_for_launch(axis->end))
      return refuse("the extent of an axis depends on the size of the launch", line);
  for (const Statement *axis : form_.sum)
    if (asks_for_launch(axis->end))
      return refuse("how long the sum is depends on the size of the launch", line);
  if (asks_for_launch(form_.epilogue)) return refuse("an output depends on the size of the launch", line);
  fixed_ = fixed_sizes(spec_, {form_.sum.begin() + 1, form_.sum.end()});
  return variant_of(spec_,
                    "tiles of both operands in shared memory, a tile of outputs in each thread's registers",
                    knobs(), kernel_text(), launch_text());
}

}  // namespace

Outcome write_register_tile(const spec::KernelSpec &spec) {
  auto form = contraction_of(spec.lifted);
  if (!form) return std::unexpected(form.error());
  return ProductWriter(spec, std::move(*form)).run();
}

}  // namespace cupilot::schedule
