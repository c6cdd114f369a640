// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/applicability.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>

#include "annotate/support/text.h"

namespace cupilot::strategy {
namespace {

constexpr std::string_view kClause = "precision(";
// In the order of PrecisionKind.
constexpr std::array<std::string_view, 5> kPrecisions{"same", "tf32", "half", "bf16", "relaxed"};

/// The digits after the prefix, and the rest.
struct Numbered {
  int number = 0;
  std::string_view rest;
};
std::optional<Numbered> numbered(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  Numbered found;
  const auto [rest, code] = std::from_chars(name.data(), name.data() + name.size(), found.number);
  if (code != std::errc() || found.number <= 0) return std::nullopt;
  found.rest = name.substr(static_cast<std::size_t>(rest - name.data()));
  return found;
}

bool fits(std::string_view pattern, const Numbered &architecture) {
  const auto wanted = numbered(pattern, "sm_");
  if (!wanted) return false;
  if (wanted->rest == "+") return architecture.number >= wanted->number;
  return architecture.number == wanted->number && (wanted->rest.empty() || wanted->rest == architecture.rest);
}

/// Parses "sm_90", "sm_90a" and "compute_90".
std::optional<Numbered> read_architecture(std::string_view name) {
  auto found = numbered(name, "sm_");
  if (!found) found = numbered(name, "compute_");
  const bool plain = found && (found->rest.empty() || found->rest == "a" || found->rest == "f");
  return plain ? found : std::nullopt;
}

}  // namespace

std::optional<int> architecture_number(std::string_view name) {
  const auto found = read_architecture(name);
  return found ? std::optional(found->number) : std::nullopt;
}

bool is_architecture_pattern(std::string_view pattern) {
  const auto found = numbered(pattern, "sm_");
  return found && (found->rest.empty() || found->rest == "+" || found->rest == "a");
}

std::vector<std::string> clauses_named(std::string_view precondition) {
  std::vector<std::string> names;
  for (auto at = precondition.find(kClause); at != std::string_view::npos;
       at = precondition.find(kClause, at + 1)) {
    const auto inside = precondition.substr(at + kClause.size());
    for (const std::string &name : split(inside.substr(0, inside.find(')')), '|'))
      names.emplace_back(trim(name));
  }
  return names;
}

bool is_precision_name(std::string_view name) {
  return std::ranges::find(kPrecisions, name) != kPrecisions.end();
}

std::optional<std::string> why_excluded(const model::Strategy &strategy, std::string_view architecture,
                                        spec::PrecisionKind precision) {
  if (const auto known = read_architecture(architecture); known && !strategy.architectures.empty()) {
    const auto suits = [&](const std::string &pattern) { return fits(pattern, *known); };
    if (std::ranges::none_of(strategy.architectures, suits))
      return "needs " + join(strategy.architectures, " or ");
  }
  for (const std::string &needed : strategy.preconditions) {
    const auto names = clauses_named(needed);
    if (!names.empty() &&
        std::ranges::find(names, kPrecisions[static_cast<std::size_t>(precision)]) == names.end())
      return fmt::format("needs the clause precision({})", join(names, "|"));
  }
  return std::nullopt;
}

}  // namespace cupilot::strategy
