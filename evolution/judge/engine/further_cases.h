// SPDX-License-Identifier: Apache-2.0
//
// Which cases of a bundle's reserve a candidate is judged on for the conditions that are open. Pure.

#pragma once

#include <cstddef>
#include <set>
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

}  // namespace cupilot::judge::engine
