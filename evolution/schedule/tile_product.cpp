// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/tile_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "annotate/spec/lifted_text.h"
#include "annotate/support/text.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

/// What an operand's elements are computed from.
std::vector<spec::Parameter> TileProduct::needed_by(const Operand &side) const {
  std::set<std::string> names;
  const auto look = [&](const Expr &expr) {
    spec::visit(expr, [&](const Expr &part) { names.insert(part.text); });
  };
  look(side.element);
  for (const Expr &one : side.conditions) look(one);
  for (const Contraction::Bound &one : form_.bounds) look(one.value);
  for (const Axes *axes : {&side.axes, &std::as_const(form_.sum)})
    for (const Statement *axis : *axes)
      for (const Expr *expr : {&axis->begin, &axis->end}) look(*expr);
  std::vector<spec::Parameter> needed;
  for (const spec::Parameter &one : with_launch_sizes(spec_))
    if (names.contains(one.name)) needed.push_back(one);
  return needed;
}

std::string TileProduct::batch_arguments(bool declared) const {
  std::string text;
  for (const Statement *axis : form_.batch) text += (declared ? ", int " : ", ") + axis->name;
  return text;
}

namespace {

/// The element with every index in two parts: one that its place among the outputs alone gives, which the
/// compiler computes once, and one that changes with the sum.
std::string element_text(const Expr &element, const std::vector<const Statement *> &sum) {
  return spec::to_text(element, [&](const Expr &part) -> std::optional<std::string> {
    if (part.kind != ExprKind::load) return std::nullopt;
    bool narrow = true;
    spec::visit(part.parts[0], [&](const Expr &inner) {
      narrow = narrow && inner.kind != ExprKind::cast && inner.kind != ExprKind::load && inner.type == "int";
    });
    if (!narrow) return std::nullopt;
    spec::Polynomial place = spec::Polynomial::of(part.parts[0]);
    for (const Statement *axis : sum) place = place.without(axis->name);
    const spec::Polynomial term = spec::Polynomial::of(part.parts[0]) - place;
    if (place.is_zero() || term.is_zero()) return std::nullopt;
    return fmt::format("{}[({}) + ({})]", part.text, place.text(), term.text());
  });
}

/// As unpack_text, of a constant; `rest` is a name for what is left of it meanwhile.
std::string unpack_kept(const std::vector<const Statement *> &axes, const std::string &from,
                        const std::string &rest) {
  if (axes.size() < 2) return unpack_text(axes, from, false);
  return fmt::format("int {} = {};\n", rest, from) + unpack_text(axes, rest, false);
}

/// A kernel that is written with parameters for its tile, for the one tile that the knobs say.
std::string of_one_tile(std::string text) {
  for (const auto &[parameter, knob] :
       {std::pair{"kHeight", "kTileM"}, {"kWidth", "kTileN"}, {"kLefts", "kM"}, {"kRights", "kN"}})
    text = replace_all(std::move(text), parameter, knob);
  return text;
}

}  // namespace

std::string TileProduct::arguments_of(const Operand &side) const {
  std::string given;
  for (const spec::Parameter &one : needed_by(side)) given += (given.empty() ? "" : ", ") + one.name;
  return given + batch_arguments(false);
}

/// The function that gives an element of an operand from its place among the outputs and in the sum, and the
/// one that tells whether there is one.
std::string TileProduct::operand_text(const char *name, const Operand &side) const {
  const std::string inside = fmt::format("$place < {} && $term < {}", spec::to_text(count_of(side.axes)),
                                         spec::to_text(count_of(form_.sum)));
  const std::string axes = unpack_text(side.axes, "$place", false) + unpack_text(form_.sum, "$term", false);
  std::string given;
  for (const spec::Parameter &one : needed_by(side))
    given += (given.empty() ? "" : ", ") + declaration_text(one, one.name);
  given += batch_arguments(true);
  std::string text, tests;
  for (const Expr &one : side.conditions) tests += (tests.empty() ? "" : " && ") + spec::to_text(one);
  if (!tests.empty())
    text = fmt::format(
        "/// Whether the {0} operand has an element there.\n__device__ __forceinline__ bool {0}_counts({1}, "
        "int "
        "$place, int $term) {{\n  if (!({2})) return false;\n{3}  return {4};\n}}\n\n",
        name, given, inside, indented(axes, 2), tests);
  // Of terms that count for no output there may be no element.
  for (const Contraction::Bound &one : form_.bounds)
    if (one.of_left == (&side == &form_.left)) tests += (tests.empty() ? "" : " && ") + bound_text(one);
  const std::string element = element_text(side.element, form_.sum);
  return text + fmt::format(
                    "/// An element of the {0} operand; zero outside of it.\n__device__ __forceinline__ {1} "
                    "{0}({2}, int $place, int $term) {{\n  if (!({3})) return 0;\n{4}  return {5};\n}}\n\n",
                    name, form_.type, given, inside, indented(axes, 2),
                    tests.empty() ? element : fmt::format("{} ? {} : {}(0)", tests, element, form_.type));
}

/// One thread's part of a tile from memory to registers, neighbours in memory by neighbouring threads.
std::string TileProduct::load_text(const char *name, const char *tile, const char *first,
                                   const Operand &side) const {
  const std::string place = side.along_sum ? "$at / kTileK" : fmt::format("$at % {}", tile);
  const std::string term = side.along_sum ? "$at % kTileK" : fmt::format("$at / {}", tile);
  const Operand &other = &side == &form_.left ? form_.right : form_.left;
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {1} * kTileK / kThreads; ++$i) {{\n"
      "  const int $at = $i * kThreads + $thread;\n"
      "  ${0}_next[$i] = ${0}({2}, {3} + {4}, $term + {5});\n{6}}}\n",
      name, tile, arguments_of(side), first, place, term,
      other.conditions.empty() ? "" : fmt::format("  $odd = $odd || !isfinite(${}_next[$i]);\n", name));
}

std::string TileProduct::store_text(const char *name, const char *tile, const Operand &side) const {
  const std::string place = side.along_sum ? "$at / kTileK" : fmt::format("$at % {}", tile);
  const std::string term = side.along_sum ? "$at % kTileK" : fmt::format("$at / {}", tile);
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {1} * kTileK / kThreads; ++$i) {{\n"
      "  const int $at = $i * kThreads + $thread;\n"
      "  ${0}_tile[$buffer][{2}][{3}] = ${0}_next[$i];\n}}\n",
      name, tile, term, place);
}

/// What is done with one output, whose place in both operands is known.
std::string TileProduct::epilogue(const std::string &total) const {
  return code_of(form_.epilogue, [&](const Expr &part) -> std::optional<std::string> {
    return part.kind == ExprKind::value && part.text == form_.total ? std::optional(total) : std::nullopt;
  });
}

std::string TileProduct::named(const Statement &axis, const std::string &place) {
  const std::string begin = spec::is_constant(axis.begin, 0) ? "" : spec::to_text(axis.begin) + " + ";
  return fmt::format("const int {} = {}{};\n", axis.name, begin, place);
}

std::string TileProduct::term_guard() const {
  return form_.bounds.empty() ? "" : named(*form_.sum.front(), "$term - kTileK + $k");
}

std::string TileProduct::guard(const char *name, const Operand &side, const std::string &place) const {
  std::string text;
  if (!form_.bounds.empty()) text += named(*side.axes.front(), place);
  if (!side.conditions.empty())
    text += fmt::format("const bool ${0}_ok = ${0}_counts({1}, {2}, $term - kTileK + $k);\n", name,
                        arguments_of(side), place);
  return text;
}

std::string TileProduct::bound_text(const Contraction::Bound &bound) const {
  return fmt::format("{} {} {}", form_.sum.front()->name,
                     bound.is_end ? "<" : ">=", spec::to_text(bound.value));
}

std::string TileProduct::counts() const {
  std::string text;
  const auto also = [&](const std::string &condition) { text += (text.empty() ? "" : " && ") + condition; };
  for (const Contraction::Bound &one : form_.bounds) also(bound_text(one));
  if (!form_.left.conditions.empty()) also("$left_ok");
  if (!form_.right.conditions.empty()) also("$right_ok");
  return text;
}

/// The term's place that a bound is at for outputs of one place.
std::string TileProduct::bound_at(const Contraction::Bound &bound, const std::string &place) const {
  using spec::Polynomial;
  const Polynomial own =
      Polynomial::symbol(spec::named(ExprKind::value, place, "int")) + Polynomial::of(bound.axis->begin);
  return (Polynomial::of(at_place(bound.value, bound.axis->name, own.expr())) -
          Polynomial::of(form_.sum.front()->begin))
      .text();
}

/// The terms that count for any output of the block.
std::string TileProduct::range_text() const {
  std::string from = "0", to = spec::to_text(count_of(form_.sum)), text;
  if (!form_.bounds.empty())
    text = fmt::format(
        "const int $last_left = min($first_left + kHeight, {}) - 1, $last_right = min($first_right + kWidth, "
        "{}) - 1;\n",
        spec::to_text(count_of(form_.left.axes)), spec::to_text(count_of(form_.right.axes)));
  for (const Contraction::Bound &one : form_.bounds)
    if (one.is_end)
      to = fmt::format("min({}, {})", to, bound_at(one, one.of_left ? "$last_left" : "$last_right"));
    else
      from = fmt::format("max({}, {})", from, bound_at(one, one.of_left ? "$first_left" : "$first_right"));
  return text + fmt::format("const int $from = {}, $to = {};\n", from, to);
}

/// Whether all terms of a step count for all outputs of the block, or at least change nothing: zero times a
/// number.
std::string TileProduct::whole_condition() const {
  std::string text = conditional() ? "!$careful" : "";
  for (const Contraction::Bound &one : form_.bounds)
    text += fmt::format(
        "{}{}", text.empty() ? "" : " && ",
        one.is_end
            ? fmt::format("$term <= {}", bound_at(one, one.of_left ? "$first_left" : "$first_right"))
            : fmt::format("$term - kTileK >= {}", bound_at(one, one.of_left ? "$last_left" : "$last_right")));
  return text;
}

std::string TileProduct::kernel_text() const {
  const std::string lefts = spec::to_text(count_of(form_.left.axes)),
                    rights = spec::to_text(count_of(form_.right.axes));
  const bool bounded = !form_.bounds.empty(), guarded = bounded || conditional();
  const std::string terms = bounded ? "$to" : spec::to_text(count_of(form_.sum));
  const std::string before = head() + operand_text("left", form_.left) + operand_text("right", form_.right);
  std::string text = fmt::format(
      "/// A block makes a tile of outputs, and each of its threads kLefts x kRights of them.\n{}"
      "__global__ void __launch_bounds__(kHeight / kLefts * (kWidth / kRights), kResident) $product({}) {{\n",
      some_are_few() ? "template <int kHeight, int kWidth, int kLefts, int kRights>\n" : "",
      parameters_without(spec_, fixed_));
  std::string body = fixed_constants(fixed_);
  body += "constexpr int kThreads = kHeight / kLefts * (kWidth / kRights);\n";
  body += fmt::format(
      "__shared__ __align__(32) {0} $left_tile[2][kTileK][kHeight + {3}], $right_tile[2][kTileK][kWidth + "
      "{3}];\n"
      "const int $thread = threadIdx.x;\n"
      "const int $tiles_across = ({1} + kWidth - 1) / kWidth, $tiles_down = ({2} + kHeight - 1) / "
      "kHeight;\n"
      "const int $first_right = blockIdx.x % $tiles_across * kWidth;\n"
      "const int $first_left = blockIdx.x / $tiles_across % $tiles_down * kHeight;\n",
      type(), rights, lefts, padding());
  if (!form_.batch.empty())
    body +=
        "int $rest = blockIdx.x / $tiles_across / $tiles_down;\n" + unpack_text(form_.batch, "$rest", false);
  body += places();
  if (bounded) body += range_text();
  body += fmt::format(
      "{0} $left_next[kHeight * kTileK / kThreads], $right_next[kWidth * kTileK / kThreads];\n"
      "int $term = {1}, $buffer = 0;\n",
      form_.type, bounded ? "$from" : "0");
  // Zero times an infinity is no zero: such a tile is computed with one condition after the other.
  const std::string none_yet = conditional() ? "$odd = false;\n" : "";
  if (conditional()) body += "bool $odd, $careful;\n";
  const char *sync = conditional() ? "$careful = __syncthreads_or($odd);\n" : "__syncthreads();\n";
  const std::string loads = none_yet + load_text("left", "kHeight", "$first_left", form_.left) +
                            load_text("right", "kWidth", "$first_right", form_.right);
  const std::string stores =
      store_text("left", "kHeight", form_.left) + store_text("right", "kWidth", form_.right);
  body += loads + stores + sync;
  // While a tile is computed with, the next one is on its way.
  std::string computed = step(false);
  if (guarded)
    computed = fmt::format("if ({}) {{\n{}}} else {{\n{}}}\n", whole_condition(), indented(computed, 2),
                           indented(step(true), 2));
  body += fmt::format(
      "for ($term {4}= kTileK;; $term += kTileK) {{\n  if ($term < {0}) {{\n{1}  }}\n{2}"
      "  if ($term >= {0}) break;\n  $buffer ^= 1;\n{3}  {5}}}\n",
      terms, indented(loads, 4), indented(computed, 2), indented(stores, 2), bounded ? "+" : "", sync);
  const Outputs own = outputs();
  body += fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {}; ++$i) {{\n  const int $row = $first_left + {};\n"
      "  if ($row >= {}) continue;\n{}"
      "  #pragma unroll\n  for (int $j = 0; $j < {}; ++$j) {{\n    const int $column = $first_right + {};\n"
      "    if ($column >= {}) continue;\n{}{}  }}\n}}\n",
      own.lefts, own.left, lefts, indented(unpack_kept(form_.left.axes, "$row", "$outer"), 2), own.rights,
      own.right, rights, indented(unpack_kept(form_.right.axes, "$column", "$inner"), 4),
      indented(epilogue(own.total), 4));
  text += indented(body, 2) + "}\n";
  return before + (some_are_few() ? text : of_one_tile(text));
}

std::string TileProduct::launch_text() const {
  std::string text;
  std::set<std::string> tested;
  for (const Axes *axes : {&form_.batch, &form_.left.axes, &form_.right.axes, &form_.sum})
    for (const Statement *axis : *axes)
      if (const std::string extent = host_text(extent_of(*axis)); tested.insert(extent).second)
        text += fmt::format("if ({} <= 0) return false;\n", extent);
  text += fmt::format("const long long $lefts = {}, $rights = {}, $terms = {};\n",
                      host_text(count_of(form_.left.axes)), host_text(count_of(form_.right.axes)),
                      host_text(count_of(form_.sum)));
  text += "if ($lefts > 0x7fffff00 || $rights > 0x7fffff00 || $terms > 0x7fffff00) return false;\n";
  const auto tiles = [&](const char *height, const char *width) {
    return fmt::format("($lefts + {0} - 1) / {0} * (($rights + {1} - 1) / {1}){2}", height, width,
                       form_.batch.empty() ? "" : fmt::format(" * ({})", host_text(count_of(form_.batch))));
  };
  const auto product = [&](const char *of, const char *count, const char *threads) {
    return fmt::format("$product{}<<<static_cast<unsigned>({}), {}, 0, $l.stream>>>({});\n", of, count,
                       threads, device_arguments(spec_));
  };
  const char *threads = "kTileM / kM * (kTileN / kN)";
  if (!some_are_few())
    return text +
           fmt::format("const long long $tiles = {};\nif ($tiles > 0x7fffffff) return false;\n",
                       tiles("kTileM", "kTileN")) +
           fixed_checks(fixed_) + product("", "$tiles", threads);
  text += fmt::format("const long long $large = {}, $small = {};\nif ($small > 0x7fffffff) return false;\n",
                      tiles("kTileM", "kTileN"), tiles("32", "32"));
  return text + fixed_checks(fixed_) +
         fmt::format("if ($large < kFew) {{  // too few for all multiprocessors\n{}}} else {{\n{}}}\n",
                     indented(product("<32, 32, 4, 4>", "$small", "64"), 2),
                     indented(product("<kTileM, kTileN, kM, kN>", "$large", threads), 2));
}

/// Whether sums differ in length, so that the longest keep a few multiprocessors busy while others are idle,
/// and some of the user's workloads have too few tiles to make up for it, and some enough.
bool TileProduct::some_are_few() const {
  if (form_.bounds.empty()) return false;
  bool few = false, many = false;
  const auto [m, n] = usual_tile();
  for (const spec::Workload &workload : spec_.workloads) {
    if (workload.holdout) continue;
    const Values values = values_of(workload);
    const auto count = [&](const Axes &axes) { return value_of(count_of(axes), values).value_or(0); };
    const double tiles = std::ceil(count(form_.left.axes) / static_cast<double>(m)) *
                         std::ceil(count(form_.right.axes) / static_cast<double>(n)) *
                         (form_.batch.empty() ? 1 : count(form_.batch));
    (tiles < static_cast<double>(kFewTiles) ? few : many) = true;
  }
  return few && many;
}

std::pair<long long, long long> TileProduct::usual_tile() const {
  constexpr double kMultiprocessors = 132;
  const double lefts = typical(form_.left.axes), rights = typical(form_.right.axes);
  const double batch = form_.batch.empty() ? 1 : typical(form_.batch);
  long long m = 128, n = 128;
  const auto tiles = [&] {
    return std::ceil(lefts / static_cast<double>(m)) * std::ceil(rights / static_cast<double>(n)) * batch;
  };
  while (m > 32 && static_cast<double>(m) / 2 >= lefts) m /= 2;
  while (n > 32 && static_cast<double>(n) / 2 >= rights) n /= 2;
  while (tiles() < kMultiprocessors && (m > 32 || n > 32)) (m >= n ? m : n) /= 2;
  return {m, n};
}

Outcome TileProduct::run() {
  const int line = spec_.lifted.body.front().line;
  if (auto reason = unsuitable()) return refuse(*reason, line);
  for (const Axes *axes : {&form_.batch, &form_.left.axes, &form_.right.axes, &form_.sum})
    if (auto reason = unsuitable_axes(*axes)) return refuse(*reason, line);
  fixed_ = fixed_sizes(spec_, {form_.sum.begin() + 1, form_.sum.end()});
  return variant_of(spec_, summary(), knobs(), kernel_text(), launch_text());
}

}  // namespace cupilot::schedule
