// SPDX-License-Identifier: Apache-2.0
//
// Names and words of a run's own strategies.

#pragma once

#include <cstddef>
#include <string>

#include "evolution/model/strategy.h"

namespace cupilot {

/// "s0007"
std::string strategy_id(const std::string &prefix, std::size_t number);

/// "wide access: predicted 1.40x, observed 1.12x"
std::string describe_effect(const Strategy &strategy, double predicted, double observed);

}  // namespace cupilot
