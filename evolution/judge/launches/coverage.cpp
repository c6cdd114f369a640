// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace cupilot::judge::launches {
namespace {

/// The constants of a condition that are told; a condition has more when a compiler made copies of it.
constexpr std::size_t kMostTold = 4;

auto key(const CodeSpot &spot) {
  return std::tuple(spot.side, spot.line, spot.column);
}
/// Compilers give all conditions of a statement one place; what they compare with tells them apart.
auto key(const Condition &one) {
  return std::tuple(one.side, one.line, one.column, one.test, one.integers, one.reals);
}

/// Where the place is in the list; it is inserted if it is not there yet.
template <class Place>
Place &place_in(std::vector<Place> &list, const Place &wanted, bool &fresh) {
  const auto at = std::ranges::lower_bound(list, key(wanted), {}, [](const Place &one) { return key(one); });
  fresh = at == list.end() || key(*at) != key(wanted);
  return fresh ? *list.insert(at, wanted) : *at;
}

/// Compilers compare with zero and one on their own account, to count rounds.
bool is_telling(double constant) {
  return constant != 0 && constant != 1 && constant != -1;
}

bool compares_with_a_constant(const Condition &condition) {
  return std::ranges::any_of(condition.integers,
                             [](std::int64_t value) { return is_telling(static_cast<double>(value)); }) ||
         std::ranges::any_of(condition.reals, is_telling);
}

std::string place_text(std::uint32_t line) {
  return fmt::format("variant.cuh:{}", line);
}

const char *way_text(const Condition &condition) {
  if (!condition.seen_true && !condition.seen_false) return "never tested";
  switch (condition.test) {
    case TestKind::truth:
      return condition.seen_true ? "never false" : "never true";
    case TestKind::equality:
      return condition.seen_true ? "always equal" : "never equal";
    case TestKind::order:
      break;
  }
  return "always decided the same way";
}

}  // namespace

bool singles_out(const Condition &condition) {
  const auto least =
      static_cast<double>(condition.test == TestKind::equality ? kLeastSingle : kLeastThreshold);
  return std::ranges::any_of(
             condition.integers,
             [&](std::int64_t value) { return std::abs(static_cast<double>(value)) >= least; }) ||
         std::ranges::any_of(condition.reals, is_telling);
}

void add(Coverage &all, const CodeSpot &spot) {
  bool fresh = false;
  CodeSpot &known = place_in(all.spots, spot, fresh);
  known.executed = known.executed || spot.executed;
}

void add(Coverage &all, const Condition &condition) {
  bool fresh = false;
  Condition &known = place_in(all.conditions, condition, fresh);
  known.seen_true = known.seen_true || condition.seen_true;
  known.seen_false = known.seen_false || condition.seen_false;
  known.idle_true = known.idle_true && condition.idle_true;
  known.idle_false = known.idle_false && condition.idle_false;
  known.untold = known.untold || condition.untold;
  known.data = known.data || condition.data;
}

void merge(Coverage &all, const Coverage &one) {
  for (const CodeSpot &spot : one.spots) add(all, spot);
  for (const Condition &condition : one.conditions) add(all, condition);
  for (const std::string &why : one.unknown)
    if (std::ranges::find(all.unknown, why) == all.unknown.end()) all.unknown.push_back(why);
}

Coverage gaps_of(const Coverage &coverage) {
  Coverage gaps;
  for (const CodeSpot &spot : coverage.spots)
    if (!spot.executed) gaps.spots.push_back(spot);
  for (const Condition &condition : coverage.conditions) {
    if (condition.seen_true == condition.seen_false) continue;
    if (condition.side == CodeSide::host && !singles_out(condition) && !condition.untold) continue;
    const bool idle = condition.seen_true ? condition.idle_false : condition.idle_true;
    const bool singled_out = condition.test == TestKind::equality && compares_with_a_constant(condition);
    if (!idle || singled_out) gaps.conditions.push_back(condition);
  }
  return gaps;
}

CoverageFigures figures_of(const Coverage &coverage) {
  std::map<std::pair<CodeSide, std::uint32_t>, bool> lines;
  for (const CodeSpot &spot : coverage.spots) {
    const auto [line, fresh] = lines.try_emplace({spot.side, spot.line}, spot.executed);
    line->second = line->second && spot.executed;
  }
  CoverageFigures figures;
  figures.lines = lines.size();
  for (const auto &[line, executed] : lines) figures.lines_covered += executed;
  figures.conditions = coverage.conditions.size();
  for (const Condition &condition : coverage.conditions) figures.conditions_covered += condition.both();
  return figures;
}

std::string text_of(const CodeSpot &spot) {
  return place_text(spot.line) + ": never executed";
}

std::string text_of(const Condition &condition) {
  std::string text = fmt::format("{}: {}", place_text(condition.line), way_text(condition));
  std::vector<std::string> constants;
  for (const std::int64_t value : condition.integers) constants.push_back(std::to_string(value));
  for (const double value : condition.reals) constants.push_back(fmt::format("{:g}", value));
  for (std::size_t i = 0; i < std::min(constants.size(), kMostTold); ++i)
    text += (i == 0 ? ", compared with " : ", ") + constants[i];
  if (constants.size() > kMostTold) text += ", ...";
  return text;
}

std::vector<std::string> uncovered(const Coverage &coverage) {
  std::vector<std::pair<std::uint32_t, std::string>> found;
  for (const CodeSpot &spot : coverage.spots)
    if (!spot.executed) found.emplace_back(spot.line, text_of(spot));
  // A condition of code that was not executed adds nothing.
  for (const Condition &condition : coverage.conditions)
    if (condition.seen_true != condition.seen_false) found.emplace_back(condition.line, text_of(condition));
  std::ranges::stable_sort(found, {}, &std::pair<std::uint32_t, std::string>::first);
  std::vector<std::string> texts;
  for (auto &[line, text] : found)
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  return texts;
}

}  // namespace cupilot::judge::launches
