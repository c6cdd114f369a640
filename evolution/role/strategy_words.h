// SPDX-License-Identifier: Apache-2.0
//
// A strategy as text for roles. The text comes from others (a file of the pool, an earlier answer), so
// prompts always put it into a fenced block.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/strategy.h"

namespace cupilot::role {

/// Lines "id: ...", "title: ...", "needs: ...", "step 1: ..." and so on; empty members are omitted.
std::string strategy_words(const model::Strategy &strategy);
/// All strategies, separated by a blank line.
std::string strategy_words(const std::vector<model::Strategy> &strategies);

}  // namespace cupilot::role
