// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/budget.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "annotate/support/text.h"

namespace cupilot::cli {
namespace {

struct Unit {
  std::string_view name;
  double seconds;  ///< 0: candidates
};
constexpr std::array kUnits{
    Unit{"s", 1},        Unit{"sec", 1},       Unit{"second", 1},    Unit{"seconds", 1}, Unit{"m", 60},
    Unit{"min", 60},     Unit{"minute", 60},   Unit{"minutes", 60},  Unit{"h", 3600},    Unit{"hour", 3600},
    Unit{"hours", 3600}, Unit{"candidate", 0}, Unit{"candidates", 0}};

/// A week and a million candidates: more is a slip of the keyboard.
constexpr double kMostSeconds = 7 * 86400.0, kMostCandidates = 1e6;

Result<void> apply(std::string_view part, Budget &budget) {
  const auto bad = [&](const std::string &why) {
    return user_error("--budget part '" + std::string(part) + "' " + why +
                      "; write it like \"30 min, 200 candidates\"");
  };
  double number = 0;
  const auto [rest, failed] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (failed != std::errc()) return bad("does not begin with a number");
  const auto name = trim(part.substr(static_cast<std::size_t>(rest - part.data())));
  const auto unit = std::ranges::find(kUnits, name, &Unit::name);
  if (unit == kUnits.end())
    return bad(name.empty() ? "has no unit" : "has the unknown unit '" + std::string(name) + "'");
  if (unit->seconds == 0) {
    if (number < 1 || number > kMostCandidates || number != static_cast<double>(static_cast<long>(number)))
      return bad("is no sensible number of candidates");
    budget.candidates = static_cast<std::size_t>(number);
    return {};
  }
  const double seconds = number * unit->seconds;
  if (!(seconds >= 1) || seconds > kMostSeconds) return bad("is no sensible time");
  budget.wall = std::chrono::seconds(static_cast<long>(seconds));
  return {};
}

}  // namespace

Result<Budget> parse_budget(std::string_view text, Budget from) {
  for (const auto &part : split(text, ',')) CUPILOT_CHECKED(apply(trim(part), from));
  return from;
}

}  // namespace cupilot::cli
