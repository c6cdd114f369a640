// SPDX-License-Identifier: Apache-2.0
//
// Three walks over the statements: which names lanes move, which indices arrays are read at, what is
// computed.

#include "evolution/strategy/source_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "evolution/strategy/code_assignments.h"

namespace cupilot {
namespace {

using Kind = CodeWord::Kind;

constexpr std::array<std::string_view, 6> kFolds{"fmaxf", "fmax", "max", "fminf", "fmin", "min"};
constexpr std::array<std::string_view, 4> kFused{"fma", "fmaf", "__fmaf_rn", "__fma_rn"};
constexpr std::array<std::string_view, 4> kComparisons{"<", ">", "<=", ">="};

template <class Names>
bool one_of(const Names &names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

std::string text_of(CodeWords words) {
  std::string text;
  for (const CodeWord &word : words) text += word.text + " ";
  return text;
}

class FactReader {
public:
  FactReader(const KernelSpec &spec, const std::vector<CodeStatement> &statements)
      : spec_(spec), statements_(statements) {}

  SourceFacts read() {
    for (const CodeStatement &statement : statements_) follow_lanes(statement);
    for (const CodeStatement &statement : statements_) look_at_indices(statement);
    for (const CodeStatement &statement : statements_) look_at(statement);
    facts_.is_stencil = std::ranges::any_of(offsets_, [](const auto &one) { return one.second.size() > 1; });
    return facts_;
  }

private:
  /// Which names move by one from lane to lane, and which by more.
  void follow_lanes(const CodeStatement &statement) {
    if (statement.is_header && has(statement.words, "++"))
      for (const CodeWord &word : statement.words) single_steps_.insert(word.text);
    for (const CodeAssignment &one : assignments_of(statement.words))
      if (!one.is_subscripted) follow(one, statement.is_header);
  }
  void follow(const CodeAssignment &one, bool is_header) {
    if (is_header) loop_names_.insert(one.target);
    if (is_header || !all_numbers(one.value)) variables_.insert(one.target);
    if (has(one.value, "/") || has(one.value, "[")) return;
    const auto stride = lane_stride(one.value);
    if (stride == LaneStride::one) unit_names_.insert(one.target);
    if (stride == LaneStride::more) strided_names_.insert(one.target);
  }

  enum class LaneStride { none, one, more };
  LaneStride lane_stride(CodeWords words) const {
    auto stride = LaneStride::none;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool thread = is(words[i], "threadIdx") && i + 2 < words.size() && is(words[i + 2], "x");
      if (strided_names_.contains(words[i].text)) return LaneStride::more;
      if (!thread && !unit_names_.contains(words[i].text)) continue;
      auto next = i + (thread ? 3 : 1);
      while (next < words.size() && is(words[next], ")")) ++next;
      const bool multiplied =
          (i > 0 && is(words[i - 1], "*")) || (next < words.size() && is(words[next], "*"));
      if (multiplied) return LaneStride::more;
      stride = LaneStride::one;
    }
    return stride;
  }

  static bool is_multiplied(CodeWords words, std::size_t i) {
    return (i > 0 && is(words[i - 1], "*")) || (i + 1 < words.size() && is(words[i + 1], "*"));
  }

  /// `i + k` of an outer and an inner index that moves by one.
  bool is_window(CodeWords index) const {
    for (std::size_t i = 0; i + 2 < index.size(); ++i) {
      const std::string &one = index[i].text, &other = index[i + 2].text;
      const bool sum = is(index[i + 1], "+") && one != other && moves(one) && moves(other) &&
                       (slides(one) || slides(other));
      if (sum && !is_multiplied(index, i) && !is_multiplied(index, i + 2)) return true;
    }
    return false;
  }
  bool moves(const std::string &name) const { return slides(name) || unit_names_.contains(name); }
  bool slides(const std::string &name) const {
    return loop_names_.contains(name) && single_steps_.contains(name);
  }

  /// `x[r * n]` in a loop over r.
  bool strides_over(const CodeSubscript &one) const {
    if (!is_parameter(one.array) && !pointers_.contains(one.array)) return false;
    for (std::size_t i = 0; i < one.index.size(); ++i)
      if (loop_names_.contains(one.index[i].text) && is_multiplied(one.index, i)) return true;
    return false;
  }

  void look_at_indices(const CodeStatement &statement) {
    const auto subscripts = subscripts_of(statement.words);
    for (const CodeSubscript &one : subscripts) {
      for (const CodeWord &word : one.index)
        if (word.kind == Kind::name) in_indices_.insert(word.text);
      arrays_.insert(one.array);
      facts_.has_rows = facts_.has_rows || (has(one.index, "*") && has(one.index, "+"));
      facts_.is_strided =
          facts_.is_strided || (is_parameter(one.array) && lane_stride(one.index) == LaneStride::more);
      facts_.has_window = facts_.has_window || is_window(one.index);
      facts_.has_strided_loop = facts_.has_strided_loop || strides_over(one);
      note_offset(one);
    }
    for (const CodeAssignment &one : assignments_of(statement.words))
      if (!one.is_subscripted) look_at_definition(one);
  }

  /// `const float *row = x + r * n`, `float a = A[i]`.
  void look_at_definition(const CodeAssignment &one) {
    const bool pointer = has(one.before, "*");
    if (pointer) pointers_.insert(one.target);
    facts_.has_rows = facts_.has_rows || (pointer && has(one.value, "+") && has(one.value, "*"));
    facts_.is_strided = facts_.is_strided || (pointer && lane_stride(one.value) == LaneStride::more);
    const auto values = subscripts_of(one.value);
    if (one.op == "=" && values.size() == 1 && !pointer) loaded_[one.target] = values[0];
  }

  /// `u[i - 1]` and `u[i + nx]`: by array, dimension and what stands before the last sign.
  void note_offset(const CodeSubscript &one) {
    for (std::size_t d = 0; d < one.dimensions.size(); ++d) {
      const CodeWords index = one.dimensions[d];
      for (std::size_t i = index.size(); i-- > 1 && !is(index[i], ")") && !is(index[i], "]");) {
        if (!is(index[i], "+") && !is(index[i], "-")) continue;
        offsets_[{one.array + " " + std::to_string(d), text_of(index.first(i))}].insert(index[i].text);
        break;
      }
    }
  }

  void look_at(const CodeStatement &statement) {
    const CodeWords words = statement.words;
    for (const CodeSubscript &one : subscripts_of(words)) note_gather(one);
    if (statement.is_header && (loads(words) || mentions_loaded_integer(words)))
      facts_.has_loaded_bounds = true;
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
      if ((is(words[i], "/") || is(words[i], "%") || is(words[i], "/=") || is(words[i], "%=")) &&
          words[i + 1].kind != Kind::number)
        facts_.divides = true;
    facts_.compares_indices = facts_.compares_indices || compares(statement);
    const auto assigned = assignment_of(words);
    if (!assigned && is_condition(words)) condition_ = words;
    if (!assigned || statement.is_header) return;
    facts_.stores = facts_.stores || assigned->is_subscripted;
    if (statement.depth > 0) look_at_loop(statement, *assigned);
  }

  void look_at_loop(const CodeStatement &statement, const CodeAssignment &assigned) {
    if (is_sum(assigned)) {
      facts_.sums = true;
      accumulators_[statement.loop].insert(assigned.target);
      note_product(assigned);
    } else if (is_fold(assigned)) {
      facts_.folds = true;
      accumulators_[statement.loop].insert(assigned.target);
    } else if (facts_.folds && is_place(assigned)) {
      facts_.keeps_place = true;
    } else if (assigned.is_subscripted) {
      const auto &running = accumulators_[statement.loop];
      facts_.scans = facts_.scans || std::ranges::any_of(assigned.value, [&](const CodeWord &word) {
                       return running.contains(word.text);
                     });
    }
  }

  /// Not an index or pointer that is moved on, not an element that changes by itself.
  bool is_sum(const CodeAssignment &assigned) const {
    const bool again = has(assigned.value, assigned.target);
    if (assigned.op == "=" && !(again && (has(assigned.value, "+") || is_call(assigned.value, kFused))))
      return false;
    if (assigned.is_subscripted) return again || !is_parameter(assigned.target);
    const bool moves = in_indices_.contains(assigned.target) || arrays_.contains(assigned.target);
    return !moves && !all_numbers(assigned.value);
  }

  /// `m = fmaxf(m, x)`, `if (x > m) m = x` or the latter with braces.
  bool is_fold(const CodeAssignment &assigned) const {
    if (assigned.op != "=") return false;
    if (is_call(assigned.value, kFolds) && has(assigned.value, assigned.target)) return true;
    const CodeWords condition = is_condition(assigned.before) ? assigned.before : condition_;
    return has(condition, assigned.target) && (has(condition, "<") || has(condition, ">"));
  }
  /// `best_index = i`, beside a fold.
  bool is_place(const CodeAssignment &assigned) const {
    return assigned.op == "=" && !assigned.is_subscripted && assigned.before.empty() &&
           assigned.value.size() == 1 && loop_names_.contains(assigned.value[0].text);
  }
  static bool is_condition(CodeWords words) { return !words.empty() && is(words[0], "if"); }
  static bool all_numbers(CodeWords words) {
    return std::ranges::all_of(words, [](const CodeWord &word) { return word.kind == Kind::number; });
  }

  /// `row > col` in a condition or a loop's bound: two indices that are no sizes.
  bool compares(const CodeStatement &statement) const {
    const CodeWords words = statement.words;
    if (!statement.is_header && !is_condition(words) && !has(words, "?")) return false;
    const auto of_launch = [&](std::size_t i) {
      return is(words[i], "threadIdx") || is(words[i], "blockIdx");
    };
    const auto is_index = [&](std::size_t i) {
      return variables_.contains(words[i].text) && in_indices_.contains(words[i].text);
    };
    for (std::size_t i = 1; i + 1 < words.size(); ++i)
      if (one_of(kComparisons, words[i].text) && (is_index(i - 1) || (i >= 3 && of_launch(i - 3))) &&
          (is_index(i + 1) || of_launch(i + 1)))
        return true;
    return false;
  }

  template <class Names>
  static bool is_call(CodeWords words, const Names &names) {
    return words.size() > 1 && one_of(names, words[0].text) && is(words[1], "(");
  }

  bool is_parameter(const std::string &name) const {
    return std::ranges::any_of(spec_.parameters,
                               [&](const Parameter &one) { return one.pointer && one.name == name; });
  }

  /// Elements of two arrays at different indices make a matrix product; at the same one, or of one matrix and
  /// one vector, a product of vectors.
  void note_product(const CodeAssignment &assigned) {
    if (!has(assigned.value, "*") && !is_call(assigned.value, kFused)) return;
    std::vector<CodeSubscript> factors = subscripts_of(assigned.value);
    std::erase_if(factors, [&](const CodeSubscript &one) { return one.array == assigned.target; });
    for (const CodeWord &word : assigned.value)
      if (const auto found = loaded_.find(word.text); found != loaded_.end())
        factors.push_back(found->second);
    if (factors.size() < 2 || factors[0].array == factors[1].array) return;
    facts_.multiplies = true;
    facts_.multiplies_rows =
        facts_.multiplies_rows || (text_of(factors[0].index) != text_of(factors[1].index) &&
                                   has(factors[0].index, "*") && has(factors[1].index, "*"));
  }

  void note_gather(const CodeSubscript &one) {
    facts_.gathers = facts_.gathers || loads(one.index) || mentions_loaded_integer(one.index);
  }

  bool mentions_loaded_integer(CodeWords words) const {
    return std::ranges::any_of(words, [&](const CodeWord &word) {
      const auto found = loaded_.find(word.text);
      return found != loaded_.end() && is_integer_parameter(found->second.array);
    });
  }

  bool loads(CodeWords words) const {
    return std::ranges::any_of(subscripts_of(words),
                               [&](const CodeSubscript &one) { return is_integer_parameter(one.array); });
  }

  bool is_integer_parameter(const std::string &name) const {
    return std::ranges::any_of(spec_.parameters, [&](const Parameter &one) {
      return one.pointer && one.name == name && !is_floating(one.element) &&
             one.element != ElementType::opaque;
    });
  }

  SourceFacts facts_;
  const KernelSpec &spec_;
  const std::vector<CodeStatement> &statements_;
  std::set<std::string> in_indices_, arrays_;
  std::set<std::string> unit_names_, strided_names_, loop_names_, variables_, pointers_;
  std::set<std::string> single_steps_;                         ///< names beside a ++ in a loop's header
  CodeWords condition_;                                        ///< the last `if` whose statement has braces
  std::map<std::string, CodeSubscript> loaded_;                ///< by the name it was loaded into
  std::map<std::size_t, std::set<std::string>> accumulators_;  ///< by loop
  std::map<std::pair<std::string, std::string>, std::set<std::string>> offsets_;  ///< signs
};

}  // namespace

SourceFacts facts_of(const KernelSpec &spec, const std::vector<CodeStatement> &statements) {
  return FactReader(spec, statements).read();
}

}  // namespace cupilot
