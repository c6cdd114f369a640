// SPDX-License-Identifier: Apache-2.0
//
// Role `strategist`: which strategies to try. For built-in rules: an order of the retrieved ones. For a
// model: strategies for this kernel made of the retrieved ones and of its own, the cross-over of two parents
// by their texts alone, and what to try next below a strategy that was realised.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/provider/provider.h"
#include "evolution/role/analyst.h"
#include "evolution/role/kernel_brief.h"

namespace cupilot {

struct StrategistQuestion {
  std::string kernel;
  std::set<std::string> features;
  std::string roofline_class;        ///< empty: not measured yet
  std::vector<Strategy> strategies;  ///< retrieved; the answer chooses among them
};
RoleRequest strategist_request(const StrategistQuestion &question);
/// Ids, best first; one that was not asked about, or a second mention, is an error.
Result<std::vector<std::string>> parse_strategist_answer(std::string_view content,
                                                         const std::vector<Strategy> &asked);

/// What this run or an earlier one saw of a strategy, in words: "wide-access: faster 1.42x; with c0007 ...".
using Experience = std::vector<std::string>;

/// The first population.
struct InitialQuestion {
  const KernelBrief &brief;
  Analysis analysis;                ///< of the original
  std::vector<Strategy> retrieved;  ///< best first
  Experience experience;
  std::size_t count = 8;  ///< how many are asked for
};
RoleRequest initial_request(const InitialQuestion &question);

/// One child of two parents, by their texts; no code is shown, none is asked for.
struct CrossoverQuestion {
  const KernelBrief &brief;
  Analysis analysis;       ///< of the better parent
  Strategy first, second;  ///< aligned; `first` is the better one, whose variant the child starts from
  double first_score = 0, second_score = 0;
  std::vector<std::string> conflicts;  ///< preconditions and ids that exclude each other, found by us
  Experience experience;               ///< of this run, what failed above all
};
RoleRequest crossover_request(const CrossoverQuestion &question);

/// K-Search: at most `most` next strategies below one that was realised, each with the effect it promises.
struct ExtendQuestion {
  const KernelBrief &brief;
  Analysis analysis;
  Strategy realised;
  double predicted = 1, observed = 1;  ///< speed-up over its own base
  Experience tried;                    ///< siblings and children so far, with predicted and observed effect
  std::size_t most = 3;
};
RoleRequest extend_request(const ExtendQuestion &question);

/// {"cupilot_answer":1,"strategies":[{"title","from":[ids],"needs":[],"steps":[],"effect","risk","gain",
/// "conflicts":[]}]}: 1 to `most`; every one has a title, steps and a gain > 0. Ids are given by the search.
Result<std::vector<Strategy>> parse_strategies_answer(std::string_view answer, std::size_t most);

}  // namespace cupilot
