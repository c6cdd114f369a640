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

namespace {

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

std::string TileProduct::named(const Statement &axis, const std::string &place) {
  const std::string begin = spec::is_constant(axis.begin, 0) ? "" : spec::to_text(axis.begin) + " + ";
  return fmt::format("const int {} = {}{};\n", axis.name, begin, place);
}

/// What the elements of both operands are computed from.
std::vector<spec::Parameter> TileProduct::needed() const {
  std::set<std::string> names;
  for (const TileOperand *side : {left_.get(), right_.get()})
    for (const spec::Parameter &one : side->needed()) names.insert(one.name);
  std::vector<spec::Parameter> needed;
  for (const spec::Parameter &one : with_launch_sizes(spec_))
    if (names.contains(one.name)) needed.push_back(one);
  return needed;
}

/// What both functions below need to know of a term: its places in the sum, and what they add to indices.
std::string TileProduct::terms_text() const {
  std::set<std::string> axes;
  std::string members, values;
  const auto add = [&](const std::string &member, const std::string &value) {
    members += "  " + member + ";\n";
    values += value + ", ";
  };
  for (const TileOperand *side : {left_.get(), right_.get()}) {
    if (const auto offset = side->offset_in_table())
      add(side->index_type() + " $" + side->name(), side->text_of(*offset));
    axes.merge(side->axes_in_table());
  }
  for (const Statement *axis : form_.sum)
    if (axes.contains(axis->name)) add("int " + axis->name, axis->name);
  return fmt::format(
      "/// Where a term's elements are.\nstruct Term {{\n{}  bool $counts;\n}};\n\n"
      "__device__ __forceinline__ Term $term_at({}int $term) {{\n  const bool $counts = $term < {};\n{}"
      "  return {{{}$counts}};\n}}\n\n",
      members, declared_text(needed_of_table()), spec::to_text(count_of(form_.sum)),
      indented(unpack_text(form_.sum, "$term", false), 2), values);
}

/// The function that computes one output with one condition after the other.
std::string TileProduct::one_output_text() const {
  std::vector<std::string> conditions;
  for (const Contraction::Bound &one : form_.bounds) conditions.push_back(bound_text(form_, one));
  std::string names;
  if (!form_.bounds.empty())
    names = named(*form_.sum.front(), "$term") + named(*form_.left.axes.front(), "$row") +
            named(*form_.right.axes.front(), "$column");
  if (uses_table())
    names += fmt::format("const Term $there = $term_at({}$term);\n", names_text(needed_of_table()));
  const auto call = [&](const TileOperand &side, const char *function) {
    return side.call(function, &side == left_.get() ? "$row" : "$column",
                     side.uses_table() ? "$there" : "$term");
  };
  if (!form_.left.conditions.empty()) conditions.push_back(call(*left_, "_counts"));
  if (!form_.right.conditions.empty()) conditions.push_back(call(*right_, "_counts"));
  return fmt::format(
      "/// An output, term by term: what is not finite is so because of terms that count.\n"
      "__device__ __noinline__ {0} $one_output({1}{2}int $row, int $column) {{\n"
      "  {0} $total = 0;\n  for (int $term = 0; $term < {3}; ++$term) {{\n{4}"
      "    {5}$total += {6} * {7};\n  }}\n  return $total;\n}}\n\n",
      type(), declared_text(needed()), batch_text(form_, true), spec::to_text(count_of(form_.sum)),
      indented(names, 4), conditions.empty() ? "" : "if (" + join(conditions, " && ") + ") ",
      call(*left_, ""), call(*right_, ""));
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

/// The factor of products that are made for each place of `count` batches.
std::string TileProduct::times_batch(const std::string &count) const {
  return form_.batch.empty() ? "" : " * (" + count + ")";
}

/// A block's part of the sum.
std::string TileProduct::part_text() const {
  return fmt::format("const int $from = blockIdx.y * $share, $to = $from + min($share, {} - $from);\n",
                     spec::to_text(count_of(form_.sum)));
}

/// What a thread that has a part of its outputs' sums does with it.
std::string TileProduct::shares_text() const {
  const Outputs own = outputs();
  const std::string item =
      form_.batch.empty() ? "" : times_batch(spec::to_text(count_of(form_.batch))) + " + $item";
  return fmt::format(
      "#pragma unroll\nfor (int $i = 0; $i < {0}; ++$i) {{\n  #pragma unroll\n"
      "  for (int $j = 0; $j < {1}; ++$j) {{\n"
      "    const int $row = $first_left + {2}, $column = $first_right + {3};\n"
      "    if (!kWhole && ($row >= {4} || $column >= {5})) continue;\n"
      "    $shares[((blockIdx.y * 1LL{6}) * {4} + $row) * {5} + $column] = {7};\n  }}\n}}\n",
      own.lefts, own.rights, own.left, own.right, factor_text(count_of(form_.left.axes)),
      factor_text(count_of(form_.right.axes)), item, own.total);
}

/// The kernel that adds the parts up, in double: they are few, and what they lose would be lost on top of
/// what each has lost. What is not finite is computed once more, as in results_text.
std::string TileProduct::add_up_text() const {
  const std::string lefts = factor_text(count_of(form_.left.axes)),
                    rights = factor_text(count_of(form_.right.axes));
  std::string body = fixed_constants(fixed_);
  body += fmt::format(
      "const long long $outputs = 1LL * {0} * {1}{2}, $output = blockIdx.x * 256LL + threadIdx.x;\n"
      "if ($output >= $outputs) return;\ndouble $sum = 0;\n"
      "for (int $part = 0; $part < $parts; ++$part) $sum += $shares[$part * $outputs + $output];\n"
      "{3} {4} = $sum;\n"
      "const int $row = $output / {1} % {0}, $column = $output % {1};\n",
      lefts, rights, times_batch(spec::to_text(count_of(form_.batch))), type(), form_.total);
  if (!form_.batch.empty())
    body += fmt::format("int $rest = $output / {} / {};\n", rights, lefts) +
            unpack_text(form_.batch, "$rest", false);
  body += unpack_kept(form_.left.axes, "$row", "$outer") + unpack_kept(form_.right.axes, "$column", "$inner");
  if (is_checked())
    body += doubt() + fmt::format("if ({2}) {0} = $one_output({1}$row, $column);\n", form_.total,
                                  names_text(needed()) + batch_text(form_, false), is_doubtful(form_.total));
  return fmt::format(
      "\n/// Adds the parts of sums up, in the same order each time.\n"
      "__global__ void __launch_bounds__(256) $add_up({}, const {} *__restrict__ $shares, int $parts{}) "
      "{{\n{}}}\n",
      parameters_without(spec_, fixed_), type(), also_given().first,
      indented(body + code_of(form_.epilogue), 2));
}

/// What computes a thread's outputs once more from the elements themselves, if some are doubtful: a bit for
/// each.
std::string TileProduct::once_more_text() const {
  const Outputs own = outputs();
  std::string counts;
  if (!form_.bounds.empty()) {
    std::vector<std::string> bounds;
    for (const Contraction::Bound &one : form_.bounds) bounds.push_back(bound_text(form_, one));
    counts = fmt::format("const auto $counts = [&](int $i, int $j, int $term) {{\n{}{}{}  return {};\n}};\n",
                         indented(named(*form_.sum.front(), "$term"), 2),
                         indented(named(*form_.left.axes.front(), "$first_left + " + own.left), 2),
                         indented(named(*form_.right.axes.front(), "$first_right + " + own.right), 2),
                         join(bounds, " && "));
  }
  return fmt::format(
      "if ($doubtful != 0) {{\n{6}  {0} $again[{1}][{2}] = {{}};\n"
      "  #pragma unroll 4\n  for (int $term = 0; $term < {3}; ++$term) {{\n    {0} $of_left[{1}], "
      "$of_right[{2}];\n"
      "    #pragma unroll\n    for (int $i = 0; $i < {1}; ++$i) $of_left[$i] = {4};\n"
      "    #pragma unroll\n    for (int $j = 0; $j < {2}; ++$j) $of_right[$j] = {5};\n"
      "    #pragma unroll\n    for (int $i = 0; $i < {1}; ++$i) {{\n      #pragma unroll\n"
      "      for (int $j = 0; $j < {2}; ++$j){7} $again[$i][$j] += $of_left[$i] * $of_right[$j];\n    }}\n  "
      "}}\n"
      "  #pragma unroll\n  for (int $i = 0; $i < {1}; ++$i) {{\n    #pragma unroll\n"
      "    for (int $j = 0; $j < {2}; ++$j)\n"
      "      if ($doubtful >> ($i * {2} + $j) & 1) $finish($i, $j, $again[$i][$j]);\n  }}\n}}\n",
      type(), own.lefts, own.rights, spec::to_text(count_of(form_.sum)),
      left_->call("", "$first_left + " + own.left, "$term"),
      right_->call("", "$first_right + " + own.right, "$term"), indented(counts, 2),
      counts.empty() ? "" : "\n        if ($counts($i, $j, $term))");
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
  const std::string given = names_text(needed()) + batch_text(form_, false);
  if (copies())
    return text + doubt() + "unsigned long long $doubtful = 0;\n" +
           each("", fmt::format("{{\n    if ({}) $doubtful |= 1ull << ($i * {} + $j);\n"
                                "    else $finish($i, $j, {});\n  }}",
                                is_doubtful(own.total), own.rights, own.total)) +
           once_more_text();
  return text + "bool $odd = false;\n" + each("", fmt::format("$odd = $odd || !isfinite({});", own.total)) +
         fmt::format("if (!$odd) {{\n{}}} else {{\n{}}}\n", indented(finish, 2),
                     indented(each(" 1", fmt::format("$finish($i, $j, $one_output({}$first_left + {}, "
                                                     "$first_right + {}));",
                                                     given, own.left, own.right)),
                              2));
}

/// Declares the tiles of both operands in shared memory.
std::string TileProduct::tiles_text() const {
  const std::string left = left_->tile_extents(padding(form_.left)),
                    right = right_->tile_extents(padding(form_.right));
  return copies() ? "extern __shared__ Tiles $tiles[];\n"
                  : fmt::format("__shared__ __align__(32) {0} $left_tile[2]{1}, $right_tile[2]{2};\n", type(),
                                left, right);
}

/// While a tile is computed with, the next one is on its way.
std::string TileProduct::steps_text(const std::string &from, const std::string &terms) const {
  const bool table = uses_table();
  std::string text = left_->next_text() + right_->next_text();
  text += fmt::format("const auto $fetch = [&](int $term{}) {{\n{}}};\n", table ? ", int $slot" : "",
                      indented(left_->load_text() + right_->load_text(), 2));
  text += fmt::format("const auto $put = [&](int $buffer) {{\n{}}};\n",
                      indented(left_->store_text() + right_->store_text(), 2));
  if (table)
    text += fmt::format(
        "const auto $plan = [&](int $term, int $slot) {{\n"
        "  if ($thread < kTileK) $terms[$slot][$thread] = $term_at({0}$term + $thread);\n}};\n"
        "$plan({1}, 0);\n$plan({2}kTileK, 1);\n__syncthreads();\n",
        names_text(needed_of_table()), parts_ > 0 ? "$from" : "0", parts_ > 0 ? "$from + " : "");
  return text + fmt::format(
                    "int $term = {0}, $buffer = 0;\n$fetch($term{2});\n$put($buffer);\n__syncthreads();\n"
                    "for ($term += kTileK;; $term += kTileK) {{\n  if ($term < {1}) $fetch($term{3});\n{4}{5}"
                    "  if ($term >= {1}) break;\n  $buffer ^= 1;\n  $put($buffer);\n  __syncthreads();\n}}\n",
                    from, terms, table ? ", $buffer" : "", table ? ", $buffer ^ 1" : "",
                    table ? "  $plan($term + kTileK, $buffer);\n" : "", indented(step(), 2));
}

/// While a tile is computed with, the next kStages - 1 are on their way.
std::string TileProduct::copied_steps_text(const std::string &from, const std::string &terms) const {
  return fmt::format("const auto $fetch = [&](int $term, int $buffer) {{\n{}}};\n",
                     indented(left_->load_text() + right_->load_text(), 2)) +
         fmt::format(
             "int $term = {0}, $buffer = 0;\n"
             "#pragma unroll\nfor (int $stage = 0; $stage < kStages - 1; ++$stage) {{\n"
             "  if ($term < {1}) $fetch($term, $stage);\n"
             "  asm volatile(\"cp.async.commit_group;\" ::: \"memory\");\n  $term += kTileK;\n}}\n"
             "for (int $begin = {0}; $begin < {1}; $begin += kTileK) {{\n"
             "  asm volatile(\"cp.async.wait_group %0;\" ::\"n\"(kStages - 2) : \"memory\");\n"
             "  __syncthreads();\n"
             "  if ($term < {1}) $fetch($term, $buffer == 0 ? kStages - 1 : $buffer - 1);\n"
             "  asm volatile(\"cp.async.commit_group;\" ::: \"memory\");\n  $term += kTileK;\n{2}"
             "  $buffer = $buffer + 1 < kStages ? $buffer + 1 : 0;\n}}\n",
             from, terms, indented(step(), 2));
}

/// What has to be so for copies of four neighbours; nullopt if there are none.
std::optional<std::string> TileProduct::wide_text() const {
  std::vector<std::string> checks;
  if (!left_->wide_checks() && !right_->wide_checks()) return std::nullopt;
  for (const TileOperand *side : {left_.get(), right_.get()})
    if (const auto &own = side->wide_checks()) checks.insert(checks.end(), own->begin(), own->end());
  return checks.empty() ? "true" : join(checks, " && ");
}

/// Whether sums end later for outputs further down.
bool TileProduct::later_are_longer() const {
  return std::ranges::any_of(form_.bounds, [](const auto &one) { return one.of_left && one.is_end; }) &&
         std::ranges::none_of(form_.bounds, [](const auto &one) { return one.of_left && !one.is_end; });
}

std::string TileProduct::kernel_text() const {
  const std::string lefts = spec::to_text(count_of(form_.left.axes)),
                    rights = spec::to_text(count_of(form_.right.axes));
  const bool bounded = !form_.bounds.empty(), ranged = bounded || parts_ > 0;
  const std::string from = ranged ? "$from" : "0",
                    terms = ranged ? "$to" : spec::to_text(count_of(form_.sum));
  const std::string before =
      (copies() ? of_one_tile(fmt::format("/// Tiles of both operands.\nstruct alignas(16) Tiles {{\n"
                                          "  unsigned left{}, right{};\n}};\n\n",
                                          left_->tile_extents(padding(form_.left)),
                                          right_->tile_extents(padding(form_.right))))
                : fmt::format("struct alignas(4 * sizeof({0})) Four {{\n  {0} item[4];\n}};\n\n", type())) +
      head() + (uses_table() ? terms_text() : "") + left_->functions_text() + right_->functions_text() +
      (is_checked() && (!copies() || parts_ > 0) ? one_output_text() : "");
  std::string text = fmt::format(
      "/// A block makes a tile of outputs, and each of its threads kLefts x kRights of them. kWhole: no "
      "tile\n"
      "/// reaches beyond what there is.\n"
      "template <{}bool kWhole>\n"
      "__global__ void __launch_bounds__(kHeight / kLefts * (kWidth / kRights), kResident) "
      "$product({}{}{}{}) "
      "{{\n",
      some_are_few() ? "int kHeight, int kWidth, int kLefts, int kRights, " : "",
      parameters_without(spec_, fixed_),
      copies()
          ? fmt::format(
                ", const unsigned *__restrict__ $left_parts, const unsigned *__restrict__ $right_parts{}",
                wide_text() ? ", bool $wide" : "")
          : "",
      also_given().first, parts_ > 0 ? fmt::format(", {} *__restrict__ $shares, int $share", type()) : "");
  std::string body = fixed_constants(fixed_);
  body += "constexpr int kThreads = kHeight / kLefts * (kWidth / kRights);\n" + tiles_text();
  const char *block = later_are_longer() ? "$block" : "blockIdx.x";
  if (later_are_longer())
    body +=
        "// Those with the longest sums begin first.\nconst unsigned $block = gridDim.x - 1 - blockIdx.x;\n";
  body += fmt::format(
      "const int $thread = threadIdx.x;\n"
      "const int $tiles_across = ({0} + kWidth - 1) / kWidth, $tiles_down = ({1} + kHeight - 1) / "
      "kHeight;\n"
      "const int $first_right = {2} % $tiles_across * kWidth;\n"
      "const int $first_left = {2} / $tiles_across % $tiles_down * kHeight;\n",
      rights, lefts, block);
  if (!form_.batch.empty())
    body += fmt::format("int $rest = {} / $tiles_across / $tiles_down;\n{}", block,
                        parts_ > 0 ? "const int $item = $rest;\n" : "") +
            unpack_text(form_.batch, "$rest", false);
  body += places();
  if (ranged) body += bounded ? range_text() : part_text();
  if (uses_table()) body += "__shared__ Term $terms[2][kTileK];\n";
  body += left_->places_text() + right_->places_text();
  body += copies() ? copied_steps_text(from, terms) : steps_text(from, terms);
  body += after_steps();
  body += parts_ > 0 ? shares_text() : results_text();
  text += indented(body, 2) + "}\n" + (parts_ > 0 ? add_up_text() : "");
  text = before + (some_are_few() ? text : of_one_tile(text));
  return some_are_whole() ? text : without_whole(text);
}

/// Each part is as many steps of kTileK terms, none is empty.
std::string TileProduct::take_scratch_text() const {
  return fmt::format(
      "const long long $steps = ($terms + kTileK - 1) / kTileK, $outputs = $lefts * $rights{1};\n"
      "const int $share = static_cast<int>(($steps + kParts - 1) / kParts);\n"
      "const int $parts = static_cast<int>(($steps + $share - 1) / $share);\n"
      "if ($outputs > 0x7fffffff) return false;\n"
      "{0} *$shares = static_cast<{0} *>($l.scratch($parts * $outputs * sizeof({0})));\n"
      "if ($shares == nullptr) return false;\n",
      type(), times_batch(host_text(count_of(form_.batch))));
}

std::string TileProduct::launch_text() const {
  std::string text;
  std::set<std::string> tested;
  for (const Axes *axes : {&form_.batch, &form_.left.axes, &form_.right.axes, &form_.sum})
    for (const Statement *axis : *axes)
      if (const std::string extent = host_text(extent_of(*axis)); tested.insert(extent).second)
        text += fmt::format("if ({} <= 0) return false;\n", extent);
  for (const TileOperand *side : {left_.get(), right_.get()})
    for (const std::string &one : side->range_checks())
      if (tested.insert(one).second) text += fmt::format("if ({}) return false;\n", one);
  text += fmt::format("const long long $lefts = {}, $rights = {}, $terms = {};\n",
                      host_text(count_of(form_.left.axes)), host_text(count_of(form_.right.axes)),
                      host_text(count_of(form_.sum)));
  text += "if ($lefts > 0x7fffff00 || $rights > 0x7fffff00 || $terms > 0x7fffff00) return false;\n";
  const auto tiles = [&](const char *height, const char *width) {
    return fmt::format("($lefts + {0} - 1) / {0} * (($rights + {1} - 1) / {1}){2}", height, width,
                       times_batch(host_text(count_of(form_.batch))));
  };
  const auto product = [&](const std::string &of, const char *count, const char *threads) {
    const std::string bytes = copies() ? "kStages * sizeof(Tiles)" : "0";
    const std::string asked =
        copies() ? fmt::format(
                       "if (cudaFuncSetAttribute($product{}, "
                       "cudaFuncAttributeMaxDynamicSharedMemorySize, {}) != cudaSuccess) return "
                       "false;\n",
                       of, bytes)
                 : "";
    return asked +
           fmt::format(
               "$product{}<<<{}, {}, {}, $l.stream>>>({}{}{}{});\n", of,
               parts_ > 0 ? fmt::format("dim3({}, $parts)", count)
                          : fmt::format("static_cast<unsigned>({})", count),
               threads, bytes, device_arguments(spec_),
               copies() ? std::string(", $left_parts, $right_parts") + (wide_text() ? ", $wide" : "") : "",
               also_given().second, parts_ > 0 ? ", $shares, $share * kTileK" : "");
  };
  const char *threads = "kTileM / kM * (kTileN / kN)";
  const auto either = [](const std::string &condition, const std::string &one, const std::string &other) {
    return fmt::format("if ({}) {{\n{}}} else {{\n{}}}\n", condition, indented(one, 2), indented(other, 2));
  };
  const bool wholes = some_are_whole();
  const auto wide = wide_text();
  std::string whole;
  if (copies() && wide) whole = fmt::format("const bool $wide = {};\n", *wide);
  if (wholes)
    whole += fmt::format(
        "const bool $whole = $lefts % kTileM == 0 && $rights % kTileN == 0 && $terms % kTileK == 0{};\n",
        !wide ? "" : " && " + (copies() ? "$wide" : *wide));
  if (!some_are_few())
    return text +
           fmt::format("const long long $tiles = {};\nif ($tiles > 0x7fffffff) return false;\n",
                       tiles("kTileM", "kTileN")) +
           whole + fixed_checks(fixed_) + (parts_ > 0 ? take_scratch_text() : "") + parts_of_operands() +
           (wholes ? either("$whole", product("<true>", "$tiles", threads),
                            product("<false>", "$tiles", threads))
                   : product("", "$tiles", threads)) +
           (parts_ > 0 ? fmt::format("$add_up<<<static_cast<unsigned>(($outputs + 255) / 256), 256, 0, "
                                     "$l.stream>>>({}, $shares, $parts{});\n",
                                     device_arguments(spec_), also_given().second)
                       : "");
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
  if (form_.bounds.empty() || copies()) return false;
  bool few = false, many = false;
  const auto [m, n] = usual_tile();
  for (const spec::Workload &workload : spec_.workloads) {
    if (workload.holdout) continue;
    const Values values = values_of(workload);
    const double tiles =
        tiles_of(m, n, [&](const Axes &axes) { return value_of(count_of(axes), values).value_or(0); });
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

double TileProduct::tiles_of(long long m, long long n,
                             const std::function<double(const Axes &)> &count) const {
  return std::ceil(count(form_.left.axes) / static_cast<double>(m)) *
         std::ceil(count(form_.right.axes) / static_cast<double>(n)) *
         (form_.batch.empty() ? 1 : count(form_.batch));
}

double TileProduct::usual_tiles(long long m, long long n) const {
  return tiles_of(m, n, [&](const Axes &axes) { return typical(axes); });
}

std::pair<long long, long long> TileProduct::usual_tile() const {
  const double lefts = typical(form_.left.axes), rights = typical(form_.right.axes);
  long long m = parts_ > 0 ? kSharedTile : 128, n = m;
  while (m > 32 && static_cast<double>(m) / 2 >= lefts) m /= 2;
  while (n > 32 && static_cast<double>(n) / 2 >= rights) n /= 2;
  while (parts_ == 0 && usual_tiles(m, n) < kMultiprocessors && (m > 32 || n > 32)) (m >= n ? m : n) /= 2;
  return {m, n};
}

/// Into how many parts sums are cut, so that all multiprocessors have something to do where outputs are few
/// and sums long; 0: none is cut.
long long TileProduct::parts_of_sums() const {
  constexpr double kLongSum = 4096, kLeastPart = 256;
  const double tiles = usual_tiles(kSharedTile, kSharedTile), terms = typical(form_.sum);
  if (!form_.bounds.empty() || terms < kLongSum || tiles * 2 > kMultiprocessors) return 0;
  long long parts = 2;
  while (tiles * static_cast<double>(parts) < 2 * kMultiprocessors &&
         terms / static_cast<double>(parts) >= 2 * kLeastPart)
    parts *= 2;
  return parts;
}

/// Neighbouring threads take what is nearest in memory: outputs that lie near each other, rather than the few
/// terms of a filter's row.
void TileProduct::choose_order(Operand &side) const {
  constexpr double kNear = 4, kShort = 16;
  if (!side.along_sum || form_.sum.size() < 2 || typical({form_.sum.back()}) >= kShort) return;
  spec::visit(side.element, [&](const Expr &part) {
    if (part.kind != ExprKind::load) return;
    const auto pitch = pitch_of(part.parts[0], side.axes.back()->name);
    const double apart = pitch ? std::abs(value_of(pitch->expr(), values_).value_or(0)) : 0;
    if (apart > 0 && apart <= kNear) side.along_sum = false;
  });
}

Outcome TileProduct::run() {
  const int line = spec_.lifted.body.front().line;
  if (auto reason = unsuitable()) return refuse(*reason, line);
  for (const Axes *axes : {&form_.batch, &form_.left.axes, &form_.right.axes, &form_.sum})
    if (auto reason = unsuitable_axes(*axes)) return refuse(*reason, line);
  choose_order(form_.left);
  choose_order(form_.right);
  parts_ = parts_of_sums();
  const bool whole = some_are_whole();
  const auto way = copies() ? TileOperand::Way::copies : TileOperand::Way::registers;
  left_ = std::make_unique<TileOperand>(spec_, form_, true, whole, lies_along_sum(form_.left), way);
  right_ = std::make_unique<TileOperand>(spec_, form_, false, whole, lies_along_sum(form_.right), way);
  fixed_ = fixed_sizes(spec_, {form_.sum.begin() + 1, form_.sum.end()});
  std::vector<model::Knob> all = knobs();
  if (some_are_few()) all.push_back({"kFew", {132, 264, kFewTiles}, kFewTiles});
  if (parts_ > 0) all.push_back({"kParts", {parts_ / 2, parts_, parts_ * 2}, parts_});
  return variant_of(spec_, summary(), std::move(all), kernel_text(), launch_text());
}

}  // namespace cupilot::schedule
