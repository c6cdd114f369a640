// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/tile_operand.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/spec/lifted_text.h"
#include "annotate/support/text.h"
#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;

namespace {

/// The index of the only element that an operand is computed from, if sizes and places alone give it.
std::optional<Expr> only_index(const Expr &element) {
  std::vector<Expr> found;
  spec::visit(element, [&](const Expr &part) {
    if (part.kind == ExprKind::load) found.push_back(part.parts[0]);
  });
  if (found.size() != 1) return std::nullopt;
  bool plain = true;
  spec::visit(found[0], [&](const Expr &part) {
    plain =
        plain && part.kind != ExprKind::value && part.kind != ExprKind::call && part.type != "unsigned int";
  });
  return plain ? std::optional(found[0]) : std::nullopt;
}

bool in_32_bits(const Expr &index) {
  bool narrow = true;
  spec::visit(
      index, [&](const Expr &part) { narrow = narrow && part.kind != ExprKind::cast && part.type == "int"; });
  return narrow;
}

/// The parameters that expressions are made of.
std::vector<spec::Parameter> parameters_in(const spec::KernelSpec &spec, const std::vector<Expr> &all) {
  std::set<std::string> names;
  for (const Expr &one : all) spec::visit(one, [&](const Expr &part) { names.insert(part.text); });
  std::vector<spec::Parameter> found;
  for (const spec::Parameter &one : with_launch_sizes(spec))
    if (names.contains(one.name)) found.push_back(one);
  return found;
}

void add_limits(const std::vector<const Statement *> &axes, std::vector<Expr> &all) {
  for (const Statement *axis : axes) {
    all.push_back(axis->begin);
    all.push_back(axis->end);
  }
}

std::string member_names(const std::vector<const Statement *> &axes, const std::set<std::string> &used,
                         const char *from) {
  std::string text;
  for (const Statement *axis : axes)
    if (used.contains(axis->name)) text += fmt::format("const int {0} = {1}.{0};\n", axis->name, from);
  return text;
}

/// The limit of a condition `x < limit` that sizes alone give, if another of them is `x >= 0`.
const Expr *limit_of_range(const Expr &condition, const std::vector<Expr> &all) {
  if (condition.kind != ExprKind::binary || condition.text != "<" || condition.parts[0].type != "int" ||
      condition.parts[1].type != "int" || !spec::is_of_parameters(condition.parts[1]))
    return nullptr;
  const bool from_zero = std::ranges::any_of(all, [&](const Expr &one) {
    return one.kind == ExprKind::binary && one.text == ">=" && spec::is_constant(one.parts[1], 0) &&
           spec::to_text(one.parts[0]) == spec::to_text(condition.parts[0]);
  });
  return from_zero ? &condition.parts[1] : nullptr;
}

/// All of them. Ranges from zero are one comparison each.
std::string all_text(const std::vector<Expr> &all) {
  std::set<std::string> ranges;
  for (const Expr &one : all)
    if (limit_of_range(one, all) != nullptr) ranges.insert(spec::to_text(one.parts[0]));
  std::vector<std::string> tests;
  for (const Expr &one : all) {
    if (const Expr *limit = limit_of_range(one, all))
      tests.push_back(fmt::format("static_cast<unsigned>({}) < static_cast<unsigned>({})",
                                  spec::to_text(one.parts[0]), spec::to_text(*limit)));
    else if (one.kind != ExprKind::binary || one.text != ">=" || !spec::is_constant(one.parts[1], 0) ||
             !ranges.contains(spec::to_text(one.parts[0])))
      tests.push_back(spec::to_text(one));
  }
  return join(tests, " && ");
}

}  // namespace

std::string declared_text(const std::vector<spec::Parameter> &parameters) {
  std::string text;
  for (const spec::Parameter &one : parameters) text += declaration_text(one, one.name) + ", ";
  return text;
}

std::string names_text(const std::vector<spec::Parameter> &parameters) {
  std::string text;
  for (const spec::Parameter &one : parameters) text += one.name + ", ";
  return text;
}

std::string batch_text(const Contraction &form, bool with_type) {
  std::string text;
  for (const Statement *axis : form.batch) text += (with_type ? "int " : "") + axis->name + ", ";
  return text;
}

std::string bound_text(const Contraction &form, const Contraction::Bound &bound) {
  return fmt::format("{} {} {}", form.sum.front()->name,
                     bound.is_end ? "<" : ">=", spec::to_text(bound.value));
}

TileOperand::TileOperand(const spec::KernelSpec &spec, const Contraction &form, bool is_left, bool whole,
                         bool lies_along_sum, Way way)
    : spec_(spec),
      form_(form),
      side_(is_left ? form.left : form.right),
      whole_(whole),
      lies_along_sum_(lies_along_sum),
      way_(way),
      name_(is_left ? "left" : "right"),
      title_(is_left ? "Left" : "Right"),
      tile_(is_left ? "kHeight" : "kWidth"),
      first_(is_left ? "$first_left" : "$first_right"),
      index_(only_index(side_.element)),
      narrow_(index_ && in_32_bits(*index_)) {
  if (index_) {
    const Polynomial all = Polynomial::of(*index_);
    place_offset_ = all;
    for (const Statement *axis : form_.sum) place_offset_ = place_offset_.without(axis->name);
    offset_ = all - place_offset_;
  }
  wide_checks_ = find_wide_checks();
  table_ = form_.sum.size() > 1 && !is_wide() && !is_consecutive();
  places_ = side_.axes.size() > 1 && !is_wide() && !side_.along_sum;
}

std::vector<spec::Parameter> TileOperand::needed() const {
  std::vector<Expr> all{side_.element};
  all.insert(all.end(), side_.conditions.begin(), side_.conditions.end());
  all.insert(all.end(), side_.zero_unless.begin(), side_.zero_unless.end());
  for (const Contraction::Bound &one : form_.bounds) all.push_back(one.value);
  add_limits(form_.sum, all);
  add_limits(side_.axes, all);
  return parameters_in(spec_, all);
}

/// What its place is made of.
std::vector<spec::Parameter> TileOperand::needed_of_place() const {
  std::vector<Expr> all;
  if (is_split()) all.push_back(place_offset_.expr());
  add_limits(side_.axes, all);
  return parameters_in(spec_, all);
}

std::vector<spec::Parameter> needed_of_terms(const spec::KernelSpec &spec, const Contraction &form,
                                             const std::vector<const TileOperand *> &operands) {
  std::vector<Expr> all;
  for (const TileOperand *one : operands)
    if (const auto offset = one->offset_in_table()) all.push_back(offset->expr());
  add_limits(form.sum, all);
  return parameters_in(spec, all);
}

std::string TileOperand::text_of(const Polynomial &part) const {
  return narrow_ ? part.text() : long_text(part.expr());
}

/// Whether the index is a sum of what the place gives and what the term gives.
bool TileOperand::is_split() const {
  return index_ &&
         std::ranges::none_of(side_.axes,
                              [&](const Statement *axis) { return offset_.mentions(axis->name); }) &&
         std::ranges::none_of(form_.batch,
                              [&](const Statement *axis) { return offset_.mentions(axis->name); });
}

/// Whether the term's number alone gives the element, as a step is the same wherever it is made.
bool TileOperand::is_consecutive() const {
  if (!is_split() || form_.sum.size() < 2) return false;
  Polynomial rest = offset_, step;
  for (std::size_t i = form_.sum.size(); i-- > 0;) {
    const Statement &axis = *form_.sum[i];
    const auto pitch = offset_.coefficient(axis.name);
    if (!pitch || !spec::is_constant(axis.begin, 0)) return false;
    const bool last = i + 1 == form_.sum.size();
    if (!last && !(*pitch == step)) return false;
    step = *pitch * Polynomial::of(axis.end);
    rest = rest.without(axis.name);
    for (const auto *conditions : {&side_.conditions, &side_.zero_unless})
      for (const Expr &one : *conditions)
        if (spec::mentions(one, axis.name)) return false;
  }
  return rest.is_zero();
}

/// An index in two parts: one that its place among the outputs alone gives, and one that changes with the
/// sum.
std::string TileOperand::index_text(const Expr &load) const {
  if (!index_ || (!is_split() && !narrow_)) return spec::to_text(load.parts[0]);
  std::vector<std::string> parts;
  const auto add = [&](const std::string &text) {
    parts.push_back(text.find(' ') == std::string::npos ? text : "(" + text + ")");
  };
  if (!place_offset_.is_zero()) add(places_ && is_split() ? "$place.$start" : text_of(place_offset_));
  if (is_consecutive()) {
    const Polynomial step = offset_.coefficient(form_.sum.back()->name).value_or(Polynomial(1));
    add(step.value() == 1 ? "$term" : fmt::format("({}) * $term", text_of(step)));
  } else if (!offset_.is_zero()) {
    add(table_ && is_split() ? "$term.$" + name_ : text_of(offset_));
  }
  return parts.empty() ? "0" : join(parts, " + ");
}

std::string TileOperand::element_text() const {
  return spec::to_text(side_.element, [&](const Expr &part) -> std::optional<std::string> {
    if (part.kind != ExprKind::load || !index_ || (!is_split() && !narrow_)) return std::nullopt;
    return fmt::format("{}[{}]", part.text, index_text(part));
  });
}

/// Axes that the element's text and conditions mention, with what is taken apart once already away.
std::set<std::string> TileOperand::axes_used() const {
  std::set<std::string> used;
  const auto look = [&](const Axes &axes, bool away) {
    for (const Statement *axis : axes) {
      const auto mentions = [&](const Expr &one) { return spec::mentions(one, axis->name); };
      if (std::ranges::any_of(side_.conditions, mentions) ||
          std::ranges::any_of(side_.zero_unless, mentions) ||
          (spec::mentions(side_.element, axis->name) && !(away && is_split())))
        used.insert(axis->name);
    }
  };
  look(side_.axes, places_);
  look(form_.sum, table_ || is_consecutive());
  return used;
}

std::set<std::string> TileOperand::axes_in_table() const {
  std::set<std::string> axes;
  const std::set<std::string> used = axes_used();
  for (const Statement *axis : form_.sum)
    if (table_ && used.contains(axis->name)) axes.insert(axis->name);
  return axes;
}

std::optional<Polynomial> TileOperand::offset_in_table() const {
  return table_ && is_split() && !offset_.is_zero() ? std::optional(offset_) : std::nullopt;
}

/// Gives the axes their values.
std::string TileOperand::axes_text() const {
  std::string text =
      places_ ? member_names(side_.axes, axes_used(), "$place") : unpack_text(side_.axes, "$place", false);
  if (table_) return text + member_names(form_.sum, axes_used(), "$term");
  return is_consecutive() ? text : text + unpack_text(form_.sum, "$term", false);
}

std::string TileOperand::outside_text() const {
  const std::string place =
      places_ ? "!$place.$counts" : fmt::format("$place >= {}", spec::to_text(count_of(side_.axes)));
  const std::string term =
      table_ ? "!$term.$counts" : fmt::format("$term >= {}", spec::to_text(count_of(form_.sum)));
  return fmt::format("!kWhole && ({} || {})", place, term);
}

/// What its functions are given: declared, and as arguments.
std::string TileOperand::given_text() const {
  return declared_text(needed()) + batch_text(form_, true);
}

std::string TileOperand::arguments_text() const {
  return names_text(needed()) + batch_text(form_, false);
}

std::string TileOperand::parameters_text() const {
  return given_text() + (places_ ? fmt::format("const {}Place &$place, ", title_) : "int $place, ") +
         (table_ ? "const Term &$term" : "int $term");
}

/// What a thread keeps of one of its places.
std::string TileOperand::place_text() const {
  const std::set<std::string> used = axes_used();
  std::string members, values;
  const auto add = [&](const std::string &member, const std::string &value) {
    members += "  " + member + ";\n";
    values += (values.empty() ? "" : ", ") + value;
  };
  if (is_split() && !place_offset_.is_zero()) add(index_type() + " $start", text_of(place_offset_));
  for (const Statement *axis : side_.axes)
    if (used.contains(axis->name)) add("int " + axis->name, axis->name);
  add("bool $counts", "$counts");
  return fmt::format(
      "/// Where the {1} operand's elements for an output are.\nstruct {0}Place {{\n{2}}};\n\n"
      "__device__ __forceinline__ {0}Place ${1}_place({3}int $place) {{\n"
      "  const bool $counts = $place < {4};\n{5}  return {{{6}}};\n}}\n\n",
      title_, name_, members, declared_text(needed_of_place()) + batch_text(form_, true),
      spec::to_text(count_of(side_.axes)), indented(unpack_text(side_.axes, "$place", false), 2), values);
}

std::vector<std::string> TileOperand::range_checks() const {
  std::vector<std::string> checks;
  for (const auto *conditions : {&side_.conditions, &side_.zero_unless})
    for (const Expr &one : *conditions)
      if (const Expr *limit = limit_of_range(one, *conditions)) checks.push_back(host_text(*limit) + " < 0");
  return checks;
}

std::string TileOperand::counts_text() const {
  return all_text(side_.conditions);
}

/// Those conditions, where the element is not zero, and that the term counts: of terms that count for no
/// output there may be no element.
std::string TileOperand::tests_text() const {
  std::vector<std::string> tests;
  for (const auto *conditions : {&side_.conditions, &side_.zero_unless})
    if (!conditions->empty()) tests.push_back(all_text(*conditions));
  for (const Contraction::Bound &one : form_.bounds)
    if (one.of_left == (&side_ == &form_.left)) tests.push_back(bound_text(form_, one));
  return join(tests, " && ");
}

/// Whether all of a tile's elements are there if those at its corners are: each test compares what only rises
/// or only falls along each axis.
bool TileOperand::corners_tell_all() const {
  if (side_.axes.size() != 1 || form_.sum.size() != 1) return false;
  const std::string &place = side_.axes.front()->name, &term = form_.sum.front()->name;
  const auto monotonous = [&](const Expr &one) {
    if (one.kind != ExprKind::binary || (one.text[0] != '<' && one.text[0] != '>')) return false;
    for (const std::string &axis : {place, term})
      if ((spec::mentions(one.parts[0], axis) && spec::mentions(one.parts[1], axis)) ||
          !is_nondecreasing(one.parts[0], axis) || !is_nondecreasing(one.parts[1], axis))
        return false;
    return true;
  };
  return std::ranges::all_of(side_.conditions, monotonous) &&
         std::ranges::all_of(side_.zero_unless, monotonous);
}

std::string TileOperand::functions_text() const {
  const std::string conditions = counts_text(), tests = tests_text();
  std::string text = places_ ? place_text() : "";
  if (!conditions.empty())
    text += fmt::format(
        "/// Whether the {0} operand has an element there.\ntemplate <bool kWhole>\n"
        "__device__ __forceinline__ bool ${0}_counts({1}) {{\n  if ({2}) return false;\n{3}  return "
        "{4};\n}}\n\n",
        name_, parameters_text(), outside_text(), indented(axes_text(), 2), conditions);
  const std::string element = element_text();
  return text +
         fmt::format(
             "/// An element of the {0} operand; zero outside of it.\ntemplate <bool kWhole>\n"
             "__device__ __forceinline__ {1} ${0}({2}) {{\n  if ({3}) return 0;\n{4}  return {5};\n}}\n\n",
             name_, form_.type, parameters_text(), outside_text(), indented(axes_text(), 2),
             tests.empty() ? element : fmt::format("{} ? {} : {}(0)", tests, element, form_.type)) +
         (way_ == Way::copies ? copy_text() + (is_wide() ? copy_four_text() : "")
          : is_wide()         ? four_text()
                              : "");
}

/// The function that copies the word of an element, with that which tells whether there is one.
std::string TileOperand::copy_text() const {
  const std::string tests = tests_text(), axes = indented(axes_text(), 2);
  std::string text, there = fmt::format("!({})", outside_text());
  if (!tests.empty()) {
    text = fmt::format(
        "/// Whether the {0} operand has an element there that is not zero.\ntemplate <bool kWhole>\n"
        "__device__ __forceinline__ bool $is_in_{0}({1}) {{\n  if ({2}) return false;\n{3}"
        "  return {4};\n}}\n\n",
        name_, parameters_text(), outside_text(), axes, tests);
    there = fmt::format("$is_in_{}<kWhole>({}$place, $term)", name_, arguments_text());
  }
  return text +
         fmt::format(
             "/// Copies the parts of an element of the {0} operand; zero outside of it.\n"
             "template <bool kWhole>\n"
             "__device__ __forceinline__ void $copy_{0}(unsigned *$to, const unsigned *$parts, {1}) {{\n"
             "  const bool $is_there = {2};\n{3}"
             "  $copy_word($to, $parts + ($is_there ? {4} : 0), $is_there);\n}}\n\n",
             name_, parameters_text(), there, axes, index_text(side_.element));
}

/// The function that copies those of four neighbours, at once where that is possible.
std::string TileOperand::copy_four_text() const {
  std::string items;
  for (int i = 0; i < 4; ++i) {
    const std::string next = i == 0 ? "" : fmt::format(" + {}", i);
    items += fmt::format("    $copy_{0}<{5}>($to{3}, $parts, {1}$place{2}, $term{4});\n", name_,
                         arguments_text(), side_.along_sum ? "" : next, next, side_.along_sum ? next : "",
                         is_tested() ? "kWhole" : "false");
  }
  const std::string places = spec::to_text(count_of(side_.axes)), terms = spec::to_text(count_of(form_.sum));
  const auto there = [](const char *other, const std::string &others, const char *unit,
                        const std::string &units) {
    return fmt::format("{} < {} ? max(0, min(4, {} - {})) : 0", other, others, units, unit);
  };
  const std::string axes = indented(axes_text(), 4), index = index_text(side_.element);
  if (is_tested())
    return fmt::format(
        "/// Copies those of four neighbours. $all: all are there, and in one access.\n"
        "template <bool kWhole>\n"
        "__device__ __forceinline__ void $copy_{0}_four(unsigned *$to, const unsigned *$parts, bool $all, "
        "{1}) {{\n  if ($all) {{\n{2}    $copy_four_words($to, $parts + {3}, 4);\n  }} else {{\n{4}  "
        "}}\n}}\n\n",
        name_, parameters_text(), axes, index, items);
  return fmt::format(
      "/// Copies those of four neighbours. $wide: in one access.\ntemplate <bool kWhole>\n"
      "__device__ __forceinline__ void $copy_{0}_four(unsigned *$to, const unsigned *$parts, bool $wide, "
      "{1}) "
      "{{\n  if ({6}$wide) {{\n    const int $there = {7}{2};\n{3}"
      "    $copy_four_words($to, $parts + ($there > 0 ? {4} : 0), $there);\n  }} else {{\n{5}  }}\n}}\n\n",
      name_, parameters_text(),
      side_.along_sum ? there("$place", places, "$term", terms) : there("$term", terms, "$place", places),
      axes, index, items, whole_ ? "kWhole || " : "", whole_ ? "kWhole ? 4 : " : "");
}

/// The function that gives four neighbours of an operand in one access.
std::string TileOperand::four_text() const {
  std::string items;
  for (int i = 0; i < 4; ++i) {
    const std::string next = i == 0 ? "" : fmt::format(" + {}", i);
    items += fmt::format("{}${}<false>({}$place{}, $term{})", i == 0 ? "" : ", ", name_, arguments_text(),
                         side_.along_sum ? "" : next, side_.along_sum ? next : "");
  }
  return fmt::format(
      "/// Four neighbours of the {0} operand.\ntemplate <bool kWhole>\n"
      "__device__ __forceinline__ Four ${0}_four({1}) {{\n"
      "  if constexpr (kWhole) {{\n{2}    return reinterpret_cast<const Four &>({3});\n  }} else {{\n"
      "    return {{{{{4}}}}};\n  }}\n}}\n\n",
      name_, parameters_text(), indented(axes_text(), 4), element_text(), items);
}

std::optional<std::vector<std::string>> TileOperand::find_wide_checks() const {
  const bool bounded = std::ranges::any_of(
      form_.bounds, [&](const Contraction::Bound &one) { return one.of_left == (&side_ == &form_.left); });
  const Expr &element = side_.element;
  const Statement &unit = unit_axis();
  const bool tested = bounded || !side_.conditions.empty() || !side_.zero_unless.empty();
  if ((way_ == Way::registers ? !whole_ || tested : tested && !corners_tell_all()) ||
      element.kind != ExprKind::load || element.type != form_.type || !is_unit(element.parts[0], unit.name))
    return std::nullopt;
  if (has_load(element.parts[0])) return std::nullopt;
  std::vector<std::string> checks;
  if (way_ == Way::registers && !begins_at_multiple(spec_, element.text, 4))
    checks.push_back(fmt::format("$l.aligned(4 * sizeof(*{0}), {0})", element.text));
  bool never = false;
  const auto fours = [&](const Polynomial &value) {
    if (value.value().value_or(1) % 4 == 0) return;
    never = never || value.value().has_value();
    const Expr expr = value.expr();
    if (is_multiple(spec_, expr, 4)) return;
    checks.push_back(
        fmt::format(fmt::runtime(expr.parts.empty() ? "{} % 4 == 0" : "({}) % 4 == 0"), host_text(expr)));
  };
  // Terms that are numbered as they lie in memory are like one axis.
  const bool consecutive = side_.along_sum && is_consecutive();
  Polynomial rest = Polynomial::of(element.parts[0]);
  for (const Axes *axes : {&form_.batch, &side_.axes, &form_.sum})
    for (const Statement *axis : *axes) {
      const auto pitch = rest.coefficient(axis->name);
      if (!pitch) return std::nullopt;
      if (axis != &unit && !(consecutive && axes == &form_.sum)) fours(*pitch);
      rest = rest.without(axis->name);
    }
  fours(rest + Polynomial::of(unit.begin));
  if ((side_.along_sum ? form_.sum : side_.axes).size() > 1 && !consecutive)
    fours(Polynomial::of(extent_of(unit)));
  return never ? std::nullopt : std::optional(checks);
}

/// Where the element `$at` of a tile is among the outputs and in the sum.
std::pair<std::string, std::string> TileOperand::place_in_tile() const {
  if (side_.along_sum) return {"$at / kTileK", "$at % kTileK"};
  return {fmt::format("$at % {}", tile_), fmt::format("$at / {}", tile_)};
}

std::string TileOperand::places_text() const {
  if (!places_) return "";
  return fmt::format(
      "constexpr int k{0}Places = kThreads < {1} ? {1} / kThreads : 1;\n"
      "{0}Place ${2}_places[k{0}Places];\n"
      "#pragma unroll\nfor (int $i = 0; $i < k{0}Places; ++$i)\n"
      "  ${2}_places[$i] = ${2}_place({3}{4} + ($i * kThreads + $thread) % {1});\n",
      title_, tile_, name_, names_text(needed_of_place()) + batch_text(form_, false), first_);
}

std::string TileOperand::next_text() const {
  return is_wide() ? fmt::format(
                         "constexpr int {0}_fours = ({1} * kTileK / 4 + kThreads - 1) / kThreads;\n"
                         "Four ${0}_next[{0}_fours];\n",
                         name_, tile_)
                   : fmt::format("{} ${}_next[{} * kTileK / kThreads];\n", form_.type, name_, tile_);
}

std::string TileOperand::load_text() const {
  const auto [place, term] = place_in_tile();
  const std::string element =
      fmt::format("({}{}, {})", arguments_text(),
                  places_ ? fmt::format("${}_places[$i % k{}Places]", name_, title_) : first_ + " + " + place,
                  table_ ? fmt::format("$terms[$slot][{}]", term) : "$term + " + term);
  if (way_ == Way::copies) {
    std::string all = is_wide() ? "$wide, " : "", before;
    if (is_wide() && is_tested()) {
      all = fmt::format("$all_{}, ", name_);
      std::vector<std::string> corners{whole_ ? "(kWhole || $wide)" : "$wide"};
      for (const char *end : {"", " + kTileK - 1"})
        for (const std::string &far : {std::string(), fmt::format(" + {} - 1", tile_)})
          corners.push_back(
              fmt::format("$is_in_{}<kWhole>({}{}{}, $term{})", name_, arguments_text(), first_, far, end));
      before = fmt::format("const bool $all_{} = {};\n", name_, join(corners, " && "));
    }
    return before +
           fmt::format(
               "#pragma unroll\nfor (int $i = 0; $i < ({1} * kTileK{4} + kThreads - 1) / kThreads; ++$i) {{\n"
               "  const int $at = ($i * kThreads + $thread){5};\n"
               "  if ($at < {1} * kTileK) $copy_{0}{6}<kWhole>(&{3}, ${0}_parts, {7}{2};\n}}\n",
               name_, tile_, element.substr(1), element_of_tile(place, term), is_wide() ? " / 4" : "",
               is_wide() ? " * 4" : "", is_wide() ? "_four" : "", all);
  }
  if (is_wide())
    return fmt::format(
        "#pragma unroll\nfor (int $i = 0; $i < {0}_fours; ++$i) {{\n"
        "  const int $at = ($i * kThreads + $thread) * 4;\n"
        "  if ($at < {1} * kTileK) ${0}_next[$i] = ${0}_four<kWhole>{2};\n}}\n",
        name_, tile_, element);
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {1} * kTileK / kThreads; ++$i) {{\n"
      "  const int $at = $i * kThreads + $thread;\n"
      "  ${0}_next[$i] = ${0}<kWhole>{2};\n}}\n",
      name_, tile_, element);
}

std::string TileOperand::store_text() const {
  const auto [place, term] = place_in_tile();
  if (!is_wide())
    return fmt::format(
        "#pragma unroll\nfor (int $i = 0; $i < {1} * kTileK / kThreads; ++$i) {{\n"
        "  const int $at = $i * kThreads + $thread;\n"
        "  {2} = ${0}_next[$i];\n}}\n",
        name_, tile_, element_of_tile(place, term));
  const std::string stored =
      lies_along_sum_ == side_.along_sum
          ? fmt::format("reinterpret_cast<Four &>({}) = ${}_next[$i];\n", element_of_tile(place, term), name_)
          : fmt::format("for (int $e = 0; $e < 4; ++$e) {} = ${}_next[$i].item[$e];\n",
                        side_.along_sum ? element_of_tile(place, term + " + $e")
                                        : element_of_tile(place + " + $e", term),
                        name_);
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {0}_fours; ++$i) {{\n"
      "  const int $at = ($i * kThreads + $thread) * 4;\n  if ($at >= {1} * kTileK) continue;\n  {2}}}\n",
      name_, tile_, stored);
}

std::string TileOperand::element_of_tile(const std::string &place, const std::string &term) const {
  return fmt::format(
      fmt::runtime(way_ == Way::copies ? "$tiles[$buffer].{}[{}][{}]" : "${}_tile[$buffer][{}][{}]"), name_,
      lies_along_sum_ ? place : term, lies_along_sum_ ? term : place);
}

std::string TileOperand::tile_extents(int padding) const {
  return lies_along_sum_ ? fmt::format("[{}][kTileK + {}]", tile_, padding)
                         : fmt::format("[kTileK][{} + {}]", tile_, padding);
}

std::string TileOperand::call(const char *function, const std::string &place, const std::string &term) const {
  return fmt::format("${}{}<false>({}{}, {})", name_, function, arguments_text(),
                     places_ ? fmt::format("${}_place({}{}{})", name_, names_text(needed_of_place()),
                                           batch_text(form_, false), place)
                             : place,
                     term);
}

}  // namespace cupilot::schedule
