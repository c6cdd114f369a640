// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/records/unit_match.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::cli::records {
namespace {

/// Names without a meaning outside of their function: labels and the parameters of PTX.
bool is_local(std::string_view name, std::string_view unit) {
  return name.starts_with(".L") || name.starts_with("$L") || name.starts_with("prototype_") ||
         name.starts_with("__local_depot") ||
         (name.starts_with(unit) && name.substr(unit.size()).starts_with("_param_"));
}

/// ".shared .align 4 .b8 name[1024];" in a function's body.
std::set<std::string_view> own_variables(const std::vector<std::string_view> &tokens) {
  std::set<std::string_view> names;
  bool declares = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    declares |= tokens[i] == ".shared" || tokens[i] == ".local";
    if (!declares || (tokens[i] != "[" && tokens[i] != ";")) continue;
    names.insert(tokens[i - 1]);
    declares = false;
  }
  return names;
}

/// Whether the two correspond, or do from now on.
bool agree(std::map<std::string_view, std::string_view> &forth,
           std::map<std::string_view, std::string_view> &back, std::string_view a, std::string_view b) {
  return forth.try_emplace(a, b).first->second == b && back.try_emplace(b, a).first->second == a;
}

bool is_number(std::string_view token) {
  return !token.empty() && std::ranges::all_of(token, [](char c) { return c >= '0' && c <= '9'; });
}

bool ends_in_assert(std::string_view name) {
  return name == "__assert_fail" || name == "__assertfail";
}

/// Marks the tokens that prepare the call of a failed assertion, which says the file and the line.
std::vector<bool> told_by_assertions(const std::vector<std::string_view> &tokens) {
  constexpr std::size_t kBefore = 90;
  std::vector<bool> told(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (ends_in_assert(tokens[i]))
      for (auto at = i - std::min(i, kBefore); at < i; ++at) told[at] = true;
  return told;
}

/// A literal's content is text of the file, such as its name in an assertion.
bool is_text(std::string_view symbol) {
  return symbol.starts_with("$str") || symbol.starts_with("__unnamed_") || symbol.starts_with(".LC") ||
         symbol.contains("__PRETTY_FUNCTION__");
}

std::string around(const std::vector<std::string_view> &tokens, std::size_t at) {
  constexpr std::size_t kBefore = 4, kAfter = 8;
  std::string text;
  const auto end = std::min(at + kAfter, tokens.size());
  for (auto i = at - std::min(at, kBefore); i < end; ++i)
    text += (text.empty() ? "" : " ") + std::string(tokens[i]);
  return text.empty() ? "nothing" : text;
}

}  // namespace

bool UnitMatch::pair(std::string_view a, std::string_view b) {
  const bool known = forth_.contains(a);
  if (!agree(forth_, back_, a, b)) return false;
  if (!known) waiting_.emplace_back(a, b);
  return true;
}

bool UnitMatch::same(std::string_view a, std::string_view b, Inside &inside) {
  const auto mine = first_.find(a);
  const auto its = second_.find(b);
  const bool here = mine != first_.end() && !mine->second.elsewhere;
  const bool there = its != second_.end() && !its->second.elsewhere;
  if (here && there) return pair(a, b);
  if (here) return false;
  if (a != b && stands_for_(a, b)) return true;
  if (there) return false;
  const bool own = inside.first_own.contains(a) && inside.second_own.contains(b);
  if (own || (is_local(a, inside.first) && is_local(b, inside.second)))
    return agree(inside.forth, inside.back, a, b);
  return a == b;
}

std::optional<UnitDifference> UnitMatch::compare_unit(std::string_view a, std::string_view b) {
  const auto &first = first_.at(a).tokens, &second = second_.at(b).tokens;
  const auto told = told_by_assertions(first);
  const auto common = std::min(first.size(), second.size());
  Inside inside{a, b, own_variables(first), own_variables(second), {}, {}};
  for (std::size_t i = 0; i < common; ++i) {
    if (told[i] &&
        ((is_number(first[i]) && is_number(second[i])) || (is_text(first[i]) && is_text(second[i]))))
      continue;
    if (!same(first[i], second[i], inside))
      return UnitDifference{plain_name(a), around(first, i), around(second, i)};
  }
  if (first.size() == second.size()) return std::nullopt;
  return UnitDifference{plain_name(a), around(first, common), around(second, common)};
}

std::optional<UnitDifference> UnitMatch::compare(std::string_view a, std::string_view b) {
  if (!pair(a, b)) return UnitDifference{plain_name(a), std::string(a), std::string(b)};
  while (!waiting_.empty()) {
    const auto [x, y] = waiting_.back();
    waiting_.pop_back();
    if (auto difference = compare_unit(x, y)) return difference;
  }
  return std::nullopt;
}

}  // namespace cupilot::cli::records
