// SPDX-License-Identifier: Apache-2.0
//
// A strategy as roles read it. The words of others (a pool's file, an earlier answer): always one block.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/strategy.h"

namespace cupilot {

/// "id: ...", "title: ...", "needs: ...", "step 1: ..." and so on, one a line; what is empty is left out.
std::string strategy_words(const Strategy &strategy);
/// All of them, a blank line between two.
std::string strategy_words(const std::vector<Strategy> &strategies);

}  // namespace cupilot
