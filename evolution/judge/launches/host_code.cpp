// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/host_code.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace cupilot::judge::launches {

namespace {

using Operator = HostValue::Operator;

/// A status of the runtime is a number of so many bytes.
constexpr std::uint32_t kStatusBytes = 4;
/// A comparison of numbers of one byte is one of flags.
constexpr std::uint32_t kFlagBytes = 1;

class Reader {
public:
  Reader(const HostCode &code, const HostTrace &trace) : code_(code) {
    for (const HostStep &step : trace.steps) {
      steps_.emplace(step.from, step.to);
      executed_.insert(step.to);
    }
    for (const HostComparison &one : trace.comparisons) comparisons_[one.site] = &one;
    for (const HostSwitch &one : trace.switches) switches_[one.site] = &one;
    for (const HostBlock &block : code.blocks) blocks_[block.site] = &block;
  }

  Coverage read() {
    for (const HostBlock &block : code_.blocks)
      if (executed_.contains(block.site)) executed_lines_.insert(block.lines.begin(), block.lines.end());
    for (const HostBlock &block : code_.blocks) {
      for (const std::uint32_t line : block.lines) add_line(line, executed_.contains(block.site));
      if (block.ways.size() == 2) add_branch(block);
    }
    for (const HostValue &value : code_.values) add_value(value);
    for (const HostCode::Switch &one : code_.switches) add_switch(one);
    return std::move(coverage_);
  }

private:
  void add_line(std::uint32_t line, bool executed) {
    if (!executed && code_.declines.contains(line)) return;
    add(coverage_, CodeSpot{.side = CodeSide::host, .line = line, .executed = executed});
  }

  Condition condition_at(const HostPlace &place) const {
    return {.side = CodeSide::host,
            .line = place.line,
            .column = place.number,
            .test = place.guessed ? TestKind::order : TestKind::truth};
  }

  const HostComparison *comparison(std::uint32_t site) const {
    const auto found = comparisons_.find(site);
    return found == comparisons_.end() ? nullptr : found->second;
  }

  /// A way does nothing when all it leads to is a decline.
  bool declines(std::uint32_t way) const {
    const auto found = blocks_.find(way);
    return found != blocks_.end() && !found->second->lines.empty() &&
           std::ranges::all_of(found->second->lines,
                               [&](std::uint32_t line) { return code_.declines.contains(line); });
  }

  /// Code that was executed on another way needs no telling (of `a && b`, both lead there), nor does code
  /// with a line that nothing has executed. Otherwise the condition has to: "if (n == 0) --grid;".
  bool is_told(std::uint32_t way) const {
    if (executed_.contains(way)) return true;
    const auto found = blocks_.find(way);
    return found != blocks_.end() && std::ranges::any_of(found->second->lines, [&](std::uint32_t line) {
             return !executed_lines_.contains(line);
           });
  }

  static bool is_open(const Condition &condition, const HostComparison *one) {
    return one && one->bytes > kFlagBytes && condition.seen_true != condition.seen_false;
  }

  static void add_constants(Condition &condition, const HostComparison &one) {
    if (one.bytes <= kFlagBytes) return;
    if (one.real) {
      if (one.left_fixed && std::isfinite(one.real_left)) condition.reals.push_back(one.real_left);
      if (one.right_fixed && std::isfinite(one.real_right)) condition.reals.push_back(one.real_right);
    } else {
      if (one.left_fixed) condition.integers.push_back(one.left);
      if (one.right_fixed && !one.constant) condition.integers.push_back(one.right);
    }
    std::ranges::sort(condition.integers);
    std::ranges::sort(condition.reals);
  }

  /// The runtime never fails here; what a variant does when it does cannot be judged.
  static void spare_status(Condition &condition, const HostPlace &place, const HostComparison *one) {
    if (place.status && one && !one->real && one->bytes == kStatusBytes && one->left_fixed && one->left == 0)
      condition.idle_true = condition.idle_false = true;
  }

  void add_branch(const HostBlock &block) {
    Condition condition = condition_at(block.place);
    condition.seen_true = steps_.contains({block.site, block.ways[0]});
    condition.seen_false = steps_.contains({block.site, block.ways[1]});
    condition.idle_true = declines(block.ways[0]);
    condition.idle_false = declines(block.ways[1]);
    const HostComparison *const one = block.comparison ? comparison(block.comparison) : nullptr;
    if (one) add_constants(condition, *one);
    condition.untold =
        block.narrow && is_open(condition, one) && !is_told(block.ways[condition.seen_true ? 1 : 0]);
    spare_status(condition, block.place, one);
    add(coverage_, condition);
  }

  /// Whether an operator holds where the left side is less, equal, greater.
  struct Truth {
    bool less, equal, greater;
  };
  static Truth truth_of(Operator is) {
    switch (is) {
      case Operator::equal:
        return {false, true, false};
      case Operator::not_equal:
        return {true, false, true};
      case Operator::less:
      case Operator::below:
        return {true, false, false};
      case Operator::less_equal:
      case Operator::not_above:
        return {true, true, false};
      case Operator::greater:
      case Operator::above:
        return {false, false, true};
      case Operator::greater_equal:
      case Operator::not_below:
        return {false, true, true};
    }
    return {};
  }

  /// Constants stand on the left of a trace and on the right of the instruction.
  static bool seen(Operator is, const HostComparison &one, bool outcome) {
    const bool of_unsigned = is >= Operator::below;
    bool less = of_unsigned ? one.below : one.less, greater = of_unsigned ? one.above : one.greater;
    if (one.constant) std::swap(less, greater);
    const Truth truth = truth_of(is);
    return (less && truth.less == outcome) || (one.equal && truth.equal == outcome) ||
           (greater && truth.greater == outcome);
  }

  void add_value(const HostValue &value) {
    Condition condition = condition_at(value.place);
    if (const HostComparison *const one = comparison(value.site)) {
      condition.seen_true = seen(value.is, *one, true);
      condition.seen_false = seen(value.is, *one, false);
      add_constants(condition, *one);
      condition.untold = is_narrow(value.is, one->real) && is_open(condition, one);
      spare_status(condition, value.place, one);
    }
    add(coverage_, condition);
  }

  /// Each label is a condition of its own. Whether other values are possible is not known.
  void add_switch(const HostCode::Switch &where) {
    const auto found = switches_.find(where.site);
    if (found == switches_.end()) return;
    const HostSwitch &one = *found->second;
    for (std::size_t i = 0; i < one.labels.size(); ++i) {
      Condition condition = condition_at(where.place);
      condition.column += static_cast<std::uint32_t>(i);
      condition.seen_true = one.labels[i].seen;
      condition.seen_false = true;
      condition.integers = {one.labels[i].value};
      add(coverage_, condition);
    }
  }

  const HostCode &code_;
  Coverage coverage_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> steps_;
  std::set<std::uint32_t> executed_, executed_lines_;
  std::map<std::uint32_t, const HostComparison *> comparisons_;
  std::map<std::uint32_t, const HostSwitch *> switches_;
  std::map<std::uint32_t, const HostBlock *> blocks_;
};

}  // namespace

bool is_narrow(HostValue::Operator is, bool real) {
  switch (is) {
    case Operator::equal:
    case Operator::not_equal:
      return true;
    case Operator::below:
    case Operator::not_above:
    case Operator::above:
    case Operator::not_below:
      return !real;  // real numbers are compared in this way, too
    default:
      return false;
  }
}

Coverage host_coverage(const HostCode &code, const HostTrace &trace) {
  const std::string &why = code.unknown.empty() ? trace.unknown : code.unknown;
  if (!why.empty()) return Coverage{.unknown = {"host: " + why}};
  return Reader(code, trace).read();
}

}  // namespace cupilot::judge::launches
