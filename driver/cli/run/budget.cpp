// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "annotate/support/text.h"

namespace cupilot::cli::run {
namespace {

enum class Kind { wall, candidates, money, tokens, gpu };

struct Unit {
  std::string_view name;
  Kind kind;
  double factor;  ///< seconds, candidates, USD or tokens in one of it
};
constexpr std::array kUnits{Unit{"s", Kind::wall, 1},
                            Unit{"sec", Kind::wall, 1},
                            Unit{"second", Kind::wall, 1},
                            Unit{"seconds", Kind::wall, 1},
                            Unit{"m", Kind::wall, 60},
                            Unit{"min", Kind::wall, 60},
                            Unit{"minute", Kind::wall, 60},
                            Unit{"minutes", Kind::wall, 60},
                            Unit{"h", Kind::wall, 3600},
                            Unit{"hour", Kind::wall, 3600},
                            Unit{"hours", Kind::wall, 3600},
                            Unit{"candidate", Kind::candidates, 1},
                            Unit{"candidates", Kind::candidates, 1},
                            Unit{"usd", Kind::money, 1},
                            Unit{"USD", Kind::money, 1},
                            Unit{"tokens", Kind::tokens, 1},
                            Unit{"k tokens", Kind::tokens, 1e3},
                            Unit{"M tokens", Kind::tokens, 1e6},
                            Unit{"gpu-s", Kind::gpu, 1},
                            Unit{"gpu-min", Kind::gpu, 60},
                            Unit{"gpu-h", Kind::gpu, 3600}};

struct Limits {
  Kind kind;
  const char *name;    ///< "time"
  double least, most;  ///< in the unit of Unit::factor; values outside are typing errors
};
constexpr std::array kLimits{
    Limits{Kind::wall, "time", 1, 7 * 86400.0}, Limits{Kind::candidates, "number of candidates", 1, 1e6},
    Limits{Kind::money, "amount of money", 0.001, 1e5}, Limits{Kind::tokens, "number of tokens", 1, 1e11},
    Limits{Kind::gpu, "GPU time", 1, 7 * 86400.0}};

const Limits &limits_of(Kind kind) {
  return *std::ranges::find(kLimits, kind, &Limits::kind);
}

void set(Kind kind, double amount, AskedBudget &asked) {
  search::Budget &budget = asked.budget;
  const auto seconds = std::chrono::seconds(static_cast<long>(amount));
  switch (kind) {
    case Kind::wall:
      budget.wall = seconds, asked.wall_said = true;
      break;
    case Kind::candidates:
      budget.candidates = static_cast<std::size_t>(amount);
      break;
    case Kind::money:
      budget.usd = amount;
      break;
    case Kind::tokens:
      budget.tokens = static_cast<long long>(amount);
      break;
    case Kind::gpu:
      budget.gpu = seconds;
      break;
  }
}

Result<void> apply(std::string_view part, std::set<Kind> &said, AskedBudget &asked) {
  const auto bad = [&](const std::string &why) {
    return user_error("--budget part '" + std::string(part) + "' " + why +
                      "; write it like \"$5, 30 min, 200 candidates\"");
  };
  auto text = part;
  const bool dollar = text.starts_with('$');
  if (dollar) text = trim(text.substr(1));
  double number = 0;
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc()) return bad("does not begin with a number");
  const auto name = trim(text.substr(static_cast<std::size_t>(rest - text.data())));
  const auto unit = std::ranges::find(kUnits, dollar && name.empty() ? "usd" : name, &Unit::name);
  if (unit == kUnits.end() || (dollar && unit->kind != Kind::money))
    return bad(name.empty() ? "has no unit" : "has the unknown unit '" + std::string(name) + "'");
  const double amount = number * unit->factor;
  const auto &limits = limits_of(unit->kind);
  if (amount == 0) return bad("is zero: nothing could be tried; leave the part out for the default");
  // NaN fails every comparison.
  if (!(amount >= limits.least && amount <= limits.most))
    return bad(std::string("is not a usable ") + limits.name);
  const bool whole = unit->kind == Kind::candidates || unit->kind == Kind::tokens;
  if (whole && amount != std::floor(amount)) return bad(std::string("is not a usable ") + limits.name);
  if (!said.insert(unit->kind).second) return bad(std::string("gives the ") + limits.name + " a second time");
  set(unit->kind, amount, asked);
  return {};
}

}  // namespace

Result<AskedBudget> parse_budget(std::string_view text, search::Budget from) {
  AskedBudget asked{from};
  std::set<Kind> said;
  for (const auto &part : split(text, ',')) CUPILOT_CHECKED(apply(trim(part), said, asked));
  return asked;
}

search::Budget with_model_defaults(const AskedBudget &asked, bool counted) {
  search::Budget budget = asked.budget;
  if (!asked.wall_said) budget.wall = kDefaultModelTime;
  if (counted && !budget.usd && !budget.tokens) budget.tokens = kDefaultTokens;
  return budget;
}

search::Budget share_of(const search::Budget &budget, const provider::Spending &all,
                        const provider::Spending &own, std::size_t left) {
  search::Budget share = budget;
  if (budget.usd) share.usd = own.usd + std::max(0.0, *budget.usd - all.usd) / static_cast<double>(left);
  if (budget.tokens)
    share.tokens = own.tokens() + std::max(0LL, *budget.tokens - all.tokens()) / static_cast<long long>(left);
  return share;
}

std::string money_text(double usd) {
  if (usd == 0) return "$0";
  return std::fabs(usd) < 0.1 ? fmt::format("${:.4f}", usd) : fmt::format("${:.2f}", usd);
}

std::string tokens_text(long long tokens) {
  if (tokens < 10'000) return std::to_string(tokens);
  if (tokens < 1'000'000) return fmt::format("{}k", tokens / 1000);
  return fmt::format("{:.1f}M", static_cast<double>(tokens) / 1e6);
}

}  // namespace cupilot::cli::run
