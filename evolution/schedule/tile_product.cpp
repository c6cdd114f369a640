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

/// What the elements of an operand, or of both, are computed from.
std::vector<spec::Parameter> TileProduct::needed(const Operand *only) const {
  std::set<std::string> names;
  const auto look = [&](const Expr &expr) {
    spec::visit(expr, [&](const Expr &part) { names.insert(part.text); });
  };
  std::vector<const Operand *> sides{&form_.left, &form_.right};
  if (only != nullptr) sides = {only};
  Axes all = form_.sum;
  for (const Operand *side : sides) {
    look(side->element);
    for (const Expr &one : side->conditions) look(one);
    all.insert(all.end(), side->axes.begin(), side->axes.end());
  }
  for (const Contraction::Bound &one : form_.bounds) look(one.value);
  for (const Statement *axis : all)
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

using Replacements = std::initializer_list<std::pair<const char *, const char *>>;
std::string with_replaced(std::string text, Replacements replacements) {
  for (const auto &[from, to] : replacements) text = replace_all(std::move(text), from, to);
  return text;
}

/// A kernel that is written with parameters for its tile, for the one tile that the knobs say.
std::string of_one_tile(std::string text) {
  return with_replaced(std::move(text),
                       {{"kHeight", "kTileM"}, {"kWidth", "kTileN"}, {"kLefts", "kM"}, {"kRights", "kN"}});
}

/// What is written for tiles that are whole and for others, for others alone.
std::string without_whole(std::string text) {
  return with_replaced(std::move(text), {{" kWhole: no tile\n/// reaches beyond what there is.", ""},
                                         {"template <bool kWhole>\n", ""},
                                         {", bool kWhole>", ">"},
                                         {"<kWhole>", ""},
                                         {"<false>", ""},
                                         {"!kWhole && ", ""}});
}

}  // namespace

std::string TileProduct::arguments_of(const Operand &side) const {
  std::string given;
  for (const spec::Parameter &one : needed(&side)) given += (given.empty() ? "" : ", ") + one.name;
  return given + batch_arguments(false);
}

/// The function that gives an element of an operand from its place among the outputs and in the sum, and the
/// one that tells whether there is one.
std::string TileProduct::operand_text(const char *name, const Operand &side) const {
  const std::string outside =
      fmt::format("!kWhole && ($place >= {} || $term >= {})", spec::to_text(count_of(side.axes)),
                  spec::to_text(count_of(form_.sum)));
  const std::string axes = unpack_text(side.axes, "$place", false) + unpack_text(form_.sum, "$term", false);
  std::string given;
  for (const spec::Parameter &one : needed(&side))
    given += (given.empty() ? "" : ", ") + declaration_text(one, one.name);
  given += batch_arguments(true);
  std::string text, tests;
  for (const Expr &one : side.conditions) tests += (tests.empty() ? "" : " && ") + spec::to_text(one);
  if (!tests.empty())
    text = fmt::format(
        "/// Whether the {0} operand has an element there.\ntemplate <bool kWhole>\n"
        "__device__ __forceinline__ bool {0}_counts({1}, "
        "int "
        "$place, int $term) {{\n  if ({2}) return false;\n{3}  return {4};\n}}\n\n",
        name, given, outside, indented(axes, 2), tests);
  // Of terms that count for no output there may be no element.
  for (const Contraction::Bound &one : form_.bounds)
    if (one.of_left == (&side == &form_.left)) tests += (tests.empty() ? "" : " && ") + bound_text(one);
  const std::string element = element_text(side.element, form_.sum);
  return text +
         fmt::format(
             "/// An element of the {0} operand; zero outside of it.\ntemplate <bool kWhole>\n"
             "__device__ __forceinline__ {1} "
             "{0}({2}, int $place, int $term) {{\n  if ({3}) return 0;\n{4}  return {5};\n}}\n\n",
             name, form_.type, given, outside, indented(axes, 2),
             tests.empty() ? element : fmt::format("{} ? {} : {}(0)", tests, element, form_.type)) +
         (is_wide(side) ? four_text(name, side, given, axes, element) : "");
}

/// The function that gives four neighbours of an operand in one access.
std::string TileProduct::four_text(const char *name, const Operand &side, const std::string &given,
                                   const std::string &axes, const std::string &element) const {
  return fmt::format(
      "/// Four neighbours of the {0} operand.\ntemplate <bool kWhole>\n"
      "__device__ __forceinline__ Four {0}_four({1}, int $place, int $term) {{\n"
      "  if constexpr (kWhole) {{\n{2}    return reinterpret_cast<const Four &>({3});\n  }} else {{\n"
      "    return {{{{{4}}}}};\n  }}\n}}\n\n",
      name, given, indented(axes, 4), element, [&] {
        std::string items;
        for (int i = 0; i < 4; ++i)
          items += fmt::format("{}{}<false>({}, $place{}, $term{})", i == 0 ? "" : ", ", name,
                               arguments_of(side), i == 0 || side.along_sum ? "" : fmt::format(" + {}", i),
                               i == 0 || !side.along_sum ? "" : fmt::format(" + {}", i));
        return items;
      }());
}

/// The axis along which an operand's tile is read.
const Statement &TileProduct::unit_axis(const Operand &side) const {
  return side.along_sum ? *form_.sum.back() : *side.axes.back();
}

/// What has to be so for four elements that are read together to be one aligned access wherever tiles are
/// whole, for the host; nullopt if they never are.
std::optional<std::vector<std::string>> TileProduct::wide_checks(const Operand &side) const {
  const bool bounded = std::ranges::any_of(
      form_.bounds, [&](const Contraction::Bound &one) { return one.of_left == (&side == &form_.left); });
  const Expr &element = side.element;
  const Statement &unit = unit_axis(side);
  if (!some_are_whole() || !side.conditions.empty() || bounded || element.kind != ExprKind::load ||
      element.type != form_.type || !is_unit(element.parts[0], unit.name))
    return std::nullopt;
  bool gathered = false;
  spec::visit(element.parts[0],
              [&](const Expr &part) { gathered = gathered || part.kind == ExprKind::load; });
  if (gathered) return std::nullopt;
  std::vector<std::string> checks{fmt::format("$l.aligned(4 * sizeof(*{0}), {0})", element.text)};
  const auto fours = [&](const spec::Polynomial &value) {
    if (value.value().value_or(1) % 4 == 0) return;
    const Expr expr = value.expr();
    checks.push_back(
        fmt::format(fmt::runtime(expr.parts.empty() ? "{} % 4 == 0" : "({}) % 4 == 0"), host_text(expr)));
  };
  spec::Polynomial rest = spec::Polynomial::of(element.parts[0]);
  for (const Axes *axes : {&form_.batch, &side.axes, &form_.sum})
    for (const Statement *axis : *axes) {
      const auto pitch = rest.coefficient(axis->name);
      if (!pitch) return std::nullopt;
      if (axis != &unit) fours(*pitch);
      rest = rest.without(axis->name);
    }
  fours(rest + spec::Polynomial::of(unit.begin));
  if ((side.along_sum ? form_.sum : side.axes).size() > 1) fours(spec::Polynomial::of(extent_of(unit)));
  return checks;
}

std::string TileProduct::next_text(const char *name, const char *tile, const Operand &side) const {
  return is_wide(side) ? fmt::format(
                             "constexpr int {0}_fours = ({1} * kTileK / 4 + kThreads - 1) / kThreads;\n"
                             "Four ${0}_next[{0}_fours];\n",
                             name, tile)
                       : fmt::format("{} ${}_next[{} * kTileK / kThreads];\n", form_.type, name, tile);
}

/// One thread's part of a tile from memory to registers, neighbours in memory by neighbouring threads.
std::string TileProduct::load_text(const char *name, const char *tile, const char *first,
                                   const Operand &side) const {
  const auto [place, term] = place_in_tile(side, tile);
  const std::string element =
      fmt::format("({}, {} + {}, $term + {})", arguments_of(side), first, place, term);
  if (is_wide(side))
    return fmt::format(
        "#pragma unroll\nfor (int $i = 0; $i < {0}_fours; ++$i) {{\n"
        "  const int $at = ($i * kThreads + $thread) * 4;\n"
        "  if ($at < {1} * kTileK) ${0}_next[$i] = {0}_four<kWhole>{2};\n}}\n",
        name, tile, element);
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {1} * kTileK / kThreads; ++$i) {{\n"
      "  const int $at = $i * kThreads + $thread;\n"
      "  ${0}_next[$i] = {0}<kWhole>{2};\n}}\n",
      name, tile, element);
}

std::string TileProduct::store_text(const char *name, const char *tile, const Operand &side) const {
  const auto [place, term] = place_in_tile(side, tile);
  if (!is_wide(side))
    return fmt::format(
        "#pragma unroll\nfor (int $i = 0; $i < {1} * kTileK / kThreads; ++$i) {{\n"
        "  const int $at = $i * kThreads + $thread;\n"
        "  {2} = ${0}_next[$i];\n}}\n",
        name, tile, element_of_tile(side, place, term));
  const std::string stored = lies_along_sum(side) == side.along_sum
                                 ? fmt::format("reinterpret_cast<Four &>({}) = ${}_next[$i];\n",
                                               element_of_tile(side, place, term), name)
                                 : fmt::format("for (int $e = 0; $e < 4; ++$e) {} = ${}_next[$i].item[$e];\n",
                                               side.along_sum ? element_of_tile(side, place, term + " + $e")
                                                              : element_of_tile(side, place + " + $e", term),
                                               name);
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {0}_fours; ++$i) {{\n"
      "  const int $at = ($i * kThreads + $thread) * 4;\n  if ($at >= {1} * kTileK) continue;\n  {2}}}\n",
      name, tile, stored);
}

/// Where the element `$at` of a tile is among the outputs and in the sum.
std::pair<std::string, std::string> TileProduct::place_in_tile(const Operand &side, const char *tile) {
  if (side.along_sum) return {"$at / kTileK", "$at % kTileK"};
  return {fmt::format("$at % {}", tile), fmt::format("$at / {}", tile)};
}

std::string TileProduct::element_of_tile(const Operand &side, const std::string &place,
                                         const std::string &term) const {
  return fmt::format(
      "${}_tile[$buffer]{}", &side == &form_.left ? "left" : "right",
      lies_along_sum(side) ? fmt::format("[{}][{}]", place, term) : fmt::format("[{}][{}]", term, place));
}

std::string TileProduct::named(const Statement &axis, const std::string &place) {
  const std::string begin = spec::is_constant(axis.begin, 0) ? "" : spec::to_text(axis.begin) + " + ";
  return fmt::format("const int {} = {}{};\n", axis.name, begin, place);
}

std::string TileProduct::bound_text(const Contraction::Bound &bound) const {
  return fmt::format("{} {} {}", form_.sum.front()->name,
                     bound.is_end ? "<" : ">=", spec::to_text(bound.value));
}

/// The function that computes one output with one condition after the other.
std::string TileProduct::one_output_text() const {
  std::vector<std::string> conditions;
  for (const Contraction::Bound &one : form_.bounds) conditions.push_back(bound_text(one));
  std::string names;
  if (!form_.bounds.empty())
    names = named(*form_.sum.front(), "$term") + named(*form_.left.axes.front(), "$left_place") +
            named(*form_.right.axes.front(), "$right_place");
  for (const auto &[name, side] : {std::pair{"left", &form_.left}, {"right", &form_.right}})
    if (!side->conditions.empty())
      conditions.push_back(
          fmt::format("{0}_counts<false>({1}, ${0}_place, $term)", name, arguments_of(*side)));
  std::string given;
  for (const spec::Parameter &one : needed()) given += declaration_text(one, one.name) + ", ";
  return fmt::format(
      "/// An output, term by term: what is not finite is so because of terms that count.\n"
      "__device__ __noinline__ {0} one_output({1}int $left_place, int $right_place{2}) {{\n"
      "  {0} $total = 0;\n  for (int $term = 0; $term < {3}; ++$term) {{\n{4}"
      "    {5}$total += left<false>({6}, $left_place, $term) * right<false>({7}, $right_place, $term);\n"
      "  }}\n  return $total;\n}}\n\n",
      type(), given, batch_arguments(true), spec::to_text(count_of(form_.sum)), indented(names, 4),
      conditions.empty() ? "" : "if (" + join(conditions, " && ") + ") ", arguments_of(form_.left),
      arguments_of(form_.right));
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
  // Tiles of terms begin where those of the whole sum do.
  if (from != "0") from += " / kTileK * kTileK";
  return text + fmt::format("const int $from = {}, $to = {};\n", from, to);
}

std::string TileProduct::tile_extents(const Operand &side, const char *tile) const {
  return lies_along_sum(side) ? fmt::format("[{}][kTileK + {}]", tile, padding(side))
                              : fmt::format("[kTileK][{} + {}]", tile, padding(side));
}

/// What is done with all outputs of a thread. Zeros stand in place of what does not count, and zero times an
/// infinity is no zero: where an output is not finite, the thread's are computed once more, term by term.
std::string TileProduct::results_text() const {
  const std::string lefts = spec::to_text(count_of(form_.left.axes)),
                    rights = spec::to_text(count_of(form_.right.axes));
  const Outputs own = outputs();
  const auto each = [&](const char *unroll, const std::string &what) {
    return fmt::format(
        "#pragma unroll{0}\nfor (int $i = 0; $i < {1}; ++$i) {{\n  #pragma unroll{0}\n"
        "  for (int $j = 0; $j < {2}; ++$j) {3}\n}}\n",
        unroll, own.lefts, own.rights, what);
  };
  std::string text = fmt::format(
      "const auto $finish = [&](int $i, int $j, {} {}) {{\n"
      "  const int $row = $first_left + {}, $column = $first_right + {};\n"
      "  if (!kWhole && ($row >= {} || $column >= {})) return;\n{}{}{}}};\n",
      type(), form_.total, own.left, own.right, lefts, rights,
      indented(unpack_kept(form_.left.axes, "$row", "$outer"), 2),
      indented(unpack_kept(form_.right.axes, "$column", "$inner"), 2), indented(code_of(form_.epilogue), 2));
  const std::string finish = each("", fmt::format("$finish($i, $j, {});", own.total));
  if (!is_checked()) return text + finish;
  std::string given;
  for (const spec::Parameter &one : needed()) given += one.name + ", ";
  return text + "bool $odd = false;\n" + each("", fmt::format("$odd = $odd || !isfinite({});", own.total)) +
         fmt::format("if (!$odd) {{\n{}}} else {{\n{}}}\n", indented(finish, 2),
                     indented(each(" 1", fmt::format("$finish($i, $j, one_output({}$first_left + {}, "
                                                     "$first_right + {}{}));",
                                                     given, own.left, own.right, batch_arguments(false))),
                              2));
}

std::string TileProduct::kernel_text() const {
  const std::string lefts = spec::to_text(count_of(form_.left.axes)),
                    rights = spec::to_text(count_of(form_.right.axes));
  const bool bounded = !form_.bounds.empty();
  const std::string terms = bounded ? "$to" : spec::to_text(count_of(form_.sum));
  const std::string before =
      fmt::format("struct alignas(4 * sizeof({0})) Four {{\n  {0} item[4];\n}};\n\n", type()) + head() +
      operand_text("left", form_.left) + operand_text("right", form_.right) +
      (is_checked() ? one_output_text() : "");
  std::string text = fmt::format(
      "/// A block makes a tile of outputs, and each of its threads kLefts x kRights of them. kWhole: no "
      "tile\n"
      "/// reaches beyond what there is.\n"
      "template <{}bool kWhole>\n"
      "__global__ void __launch_bounds__(kHeight / kLefts * (kWidth / kRights), kResident) $product({}) {{\n",
      some_are_few() ? "int kHeight, int kWidth, int kLefts, int kRights, " : "",
      parameters_without(spec_, fixed_));
  std::string body = fixed_constants(fixed_);
  body += "constexpr int kThreads = kHeight / kLefts * (kWidth / kRights);\n";
  body += fmt::format(
      "__shared__ __align__(32) {0} $left_tile[2]{3}, $right_tile[2]{4};\n"
      "const int $thread = threadIdx.x;\n"
      "const int $tiles_across = ({1} + kWidth - 1) / kWidth, $tiles_down = ({2} + kHeight - 1) / "
      "kHeight;\n"
      "const int $first_right = blockIdx.x % $tiles_across * kWidth;\n"
      "const int $first_left = blockIdx.x / $tiles_across % $tiles_down * kHeight;\n",
      type(), rights, lefts, tile_extents(form_.left, "kHeight"), tile_extents(form_.right, "kWidth"));
  if (!form_.batch.empty())
    body +=
        "int $rest = blockIdx.x / $tiles_across / $tiles_down;\n" + unpack_text(form_.batch, "$rest", false);
  body += places();
  if (bounded) body += range_text();
  body += next_text("left", "kHeight", form_.left) + next_text("right", "kWidth", form_.right);
  body += fmt::format("const auto $fetch = [&](int $term) {{\n{}}};\n",
                      indented(load_text("left", "kHeight", "$first_left", form_.left) +
                                   load_text("right", "kWidth", "$first_right", form_.right),
                               2));
  body += fmt::format(
      "const auto $put = [&](int $buffer) {{\n{}}};\n",
      indented(store_text("left", "kHeight", form_.left) + store_text("right", "kWidth", form_.right), 2));
  // While a tile is computed with, the next one is on its way.
  body += fmt::format(
      "int $term = {0}, $buffer = 0;\n$fetch($term);\n$put($buffer);\n__syncthreads();\n"
      "for ($term += kTileK;; $term += kTileK) {{\n  if ($term < {1}) $fetch($term);\n{2}"
      "  if ($term >= {1}) break;\n  $buffer ^= 1;\n  $put($buffer);\n  __syncthreads();\n}}\n",
      bounded ? "$from" : "0", terms, indented(step(), 2));
  body += results_text();
  text += indented(body, 2) + "}\n";
  text = before + (some_are_few() ? text : of_one_tile(text));
  return some_are_whole() ? text : without_whole(text);
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
  const auto product = [&](const std::string &of, const char *count, const char *threads) {
    return fmt::format("$product{}<<<static_cast<unsigned>({}), {}, 0, $l.stream>>>({});\n", of, count,
                       threads, device_arguments(spec_));
  };
  const char *threads = "kTileM / kM * (kTileN / kN)";
  const auto either = [](const std::string &condition, const std::string &one, const std::string &other) {
    return fmt::format("if ({}) {{\n{}}} else {{\n{}}}\n", condition, indented(one, 2), indented(other, 2));
  };
  const bool wholes = some_are_whole();
  std::string whole;
  if (wholes) {
    whole = "const bool $whole = $lefts % kTileM == 0 && $rights % kTileN == 0 && $terms % kTileK == 0";
    for (const Operand *side : {&form_.left, &form_.right})
      if (const auto checks = wide_checks(*side))
        for (const std::string &one : *checks) whole += " && " + one;
    whole += ";\n";
  }
  if (!some_are_few())
    return text +
           fmt::format("const long long $tiles = {};\nif ($tiles > 0x7fffffff) return false;\n",
                       tiles("kTileM", "kTileN")) +
           whole + fixed_checks(fixed_) +
           (wholes ? either("$whole", product("<true>", "$tiles", threads),
                            product("<false>", "$tiles", threads))
                   : product("", "$tiles", threads));
  text += fmt::format("const long long $large = {}, $small = {};\nif ($small > 0x7fffffff) return false;\n",
                      tiles("kTileM", "kTileN"), tiles("32", "32"));
  const char *also = wholes ? ", true>" : ">";
  return text + whole + fixed_checks(fixed_) +
         "// Small tiles where large ones are too few for all multiprocessors.\n" +
         either(wholes ? "$whole && $large >= kFew" : "$large >= kFew",
                product(std::string("<kTileM, kTileN, kM, kN") + also, "$large", threads),
                product(wholes ? "<32, 32, 4, 4, false>" : "<32, 32, 4, 4>", "$small", "64"));
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

/// Whether there is a workload of which no tile reaches beyond what there is: the others would not show the
/// judge what is written for it.
bool TileProduct::some_are_whole() const {
  constexpr double kDepth = 16;
  const auto [m, n] = usual_tile();
  return std::ranges::any_of(spec_.workloads, [&](const spec::Workload &workload) {
    const Values values = values_of(workload);
    const auto fits = [&](const Axes &axes, double tile) {
      return std::fmod(value_of(count_of(axes), values).value_or(1), tile) == 0;
    };
    return fits(form_.left.axes, static_cast<double>(m)) && fits(form_.right.axes, static_cast<double>(n)) &&
           fits(form_.sum, kDepth);
  });
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
  std::vector<model::Knob> all = knobs();
  if (some_are_few()) all.push_back({"kFew", {132, 264, kFewTiles}, kFewTiles});
  return variant_of(spec_, summary(), std::move(all), kernel_text(), launch_text());
}

}  // namespace cupilot::schedule
