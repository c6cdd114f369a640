// SPDX-License-Identifier: Apache-2.0
//
// `--budget "$5, 200 candidates, 30 min, 10 gpu-min, 2M tokens"`: what a search may cost, as people write it.

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/search/budget.h"

namespace cupilot::cli {

/// Tokens a model may use for one kernel where neither money nor tokens were said: about $3 at the price of
/// $3 / $15 for a million, a few dozen questions.
inline constexpr long long kDefaultTokens = 500'000;
/// Models take their time: the wall limit where none was said.
inline constexpr std::chrono::seconds kDefaultModelTime{3600};

struct AskedBudget {
  Budget budget;
  bool wall_said = false;
};

/// Parts separated by commas: an amount of money (`$5`, `5 usd`), or a number and `s`, `min`, `h`,
/// `candidates`, `tokens` (`200k`, `2M`), `gpu-s`, `gpu-min`, `gpu-h`. Each kind once; zero is an error that
/// says so. What is not said stays as it is in `from`.
Result<AskedBudget> parse_budget(std::string_view text, Budget from = {});

/// With the defaults of a search that asks a model.
/// `counted`: tokens cost something and are counted.
Budget with_model_defaults(const AskedBudget &asked, bool counted);

/// Of a budget for several kernels that for the next one: what it has cost already (`own`, in earlier starts)
/// and its part of what nobody has spent; `all` contains `own`, `left` counts the kernels to come with this
/// one.
Budget share_of(const Budget &budget, const Spending &all, const Spending &own, std::size_t left);

/// "$4.97", "$0.0312", "$0"
std::string money_text(double usd);
/// "812", "31k", "2.1M"
std::string tokens_text(long long tokens);

}  // namespace cupilot::cli
