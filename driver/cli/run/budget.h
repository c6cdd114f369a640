// SPDX-License-Identifier: Apache-2.0
//
// `--budget "$5, 200 candidates, 30 min, 10 gpu-min, 2M tokens"`: parses and prints what a search may cost.

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/search/budget.h"

namespace cupilot::cli::run {

/// Tokens that models may use for one kernel when the user limits neither money nor tokens. At $3 (input) and
/// $15 (output) for a million tokens this costs about $3, which is a few dozen questions.
inline constexpr long long kDefaultTokens = 500'000;
/// The limit of wall-clock time for a search with a model when the user gives none; models answer slowly.
inline constexpr std::chrono::seconds kDefaultModelTime{3600};

struct AskedBudget {
  search::Budget budget;
  bool wall_said = false;
};

/// Parts separated by commas: an amount of money (`$5`, `5 usd`), or a number and `s`, `min`, `h`,
/// `candidates`, `tokens` (`200k`, `2M`), `gpu-s`, `gpu-min`, `gpu-h`. Each kind may appear once, and zero is
/// an error. Limits that the text does not name are taken from `from`.
Result<AskedBudget> parse_budget(std::string_view text, search::Budget from = {});

/// Adds the default limits of a search that asks a model.
/// `counted`: the provider's tokens cost money and are counted.
search::Budget with_model_defaults(const AskedBudget &asked, bool counted);

/// The next kernel's share of a budget for several kernels: what this kernel has cost in earlier starts
/// (`own`) plus an equal part of what has not been spent. `all` includes `own`; `left` counts the kernels
/// still to come, this one included.
search::Budget share_of(const search::Budget &budget, const provider::Spending &all,
                        const provider::Spending &own, std::size_t left);

/// "$4.97", "$0.0312", "$0"
std::string money_text(double usd);
/// "812", "31k", "2.1M"
std::string tokens_text(long long tokens);

}  // namespace cupilot::cli::run
