// SPDX-License-Identifier: Apache-2.0
//
// What the history says about strategies, as lines for a prompt. Prompts may leave the machine and the
// history covers several projects. Therefore the lines name only strategies, architectures and numbers, never
// kernels, sources or reasons.

#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "evolution/model/strategy_outcome.h"

namespace cupilot::strategy {

/// At most `most` lines, one for each strategy: "wide-access: 3 wins of 4 on sm_90, median 1.38x". The
/// strategies with the most weight for a kernel with these features on this architecture come first.
std::vector<std::string> experience_of(std::span<const model::StrategyOutcome> history,
                                       const std::string &architecture, const std::set<std::string> &features,
                                       std::size_t most);

}  // namespace cupilot::strategy
