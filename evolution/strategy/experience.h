// SPDX-License-Identifier: Apache-2.0
//
// What the history says of strategies, as lines for a prompt. Prompts may leave the machine and the history
// spans projects: lines name strategies, architectures and figures, never kernels, sources or reasons.

#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "evolution/model/strategy_outcome.h"

namespace cupilot {

/// "wide-access: 3 wins of 4 on sm_90, median 1.38x", one line a strategy, those with the most weight for a
/// kernel of these features on this architecture first; at most `most`.
std::vector<std::string> experience_of(std::span<const StrategyOutcome> history,
                                       const std::string &architecture, const std::set<std::string> &features,
                                       std::size_t most);

}  // namespace cupilot
