// SPDX-License-Identifier: Apache-2.0
//
// Which cases of a bundle's reserve a candidate is judged on for the conditions that are open. Pure.

#pragma once

#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "evolution/judge/launches/coverage.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::engine {

/// How near they are to the constants of open conditions. `near`: for each argument and each constant one
/// case in which the one is the other, and those next to it. `any`: all others, the nearest first.
enum class Nearness { near, any };

/// At most `most` indices into the reserve, ascending, of cases that have not been tried. Conditions that
/// count as gaps come before those that are merely open.
std::vector<std::size_t> further_cases(const std::vector<model::Case> &reserve,
                                       const launches::Coverage &coverage, const std::set<std::size_t> &tried,
                                       Nearness nearness, std::size_t most);

/// Open conditions, as it were, with the odd numbers of a variant's text that no condition of `coverage` has
/// seen both ways: arithmetic singles sizes out, too. Powers of two, what is beside them, and multiples of a
/// warp are none: those are blocks, tiles and masks.
launches::Coverage odd_numbers(std::string_view variant, const launches::Coverage &coverage);

}  // namespace cupilot::judge::engine
