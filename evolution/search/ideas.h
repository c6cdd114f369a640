// SPDX-License-Identifier: Apache-2.0
//
// The strategies a search with a model begins with, for policies that branch: the strategist's, made of what
// pool and history offer.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evolution/search/policy.h"

namespace cupilot {

/// At most `count`, with the ids `prefix`0001, `prefix`0002, ... An empty list: the strategist gave no usable
/// answer, or nobody answers any more.
Result<std::vector<Strategy>> first_ideas(PolicyContext &context, std::size_t count,
                                          const std::string &prefix);

/// "s0007"
std::string strategy_id(const std::string &prefix, std::size_t number);

/// "wide access: predicted 1.40x, observed 1.12x"
std::string describe_effect(const Strategy &strategy, double predicted, double observed);

}  // namespace cupilot
