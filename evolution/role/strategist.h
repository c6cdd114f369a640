// SPDX-License-Identifier: Apache-2.0
//
// Role `strategist`: chooses which strategies to try. Built-in rules put the retrieved strategies in order. A
// model makes strategies for this kernel from the retrieved ones and from its own ideas, crosses two parents
// by their texts alone, and proposes what to try below a realised strategy.

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

namespace cupilot::role {

struct StrategistQuestion {
  std::string kernel;
  std::set<std::string> features;
  std::string roofline_class;               ///< empty: not measured yet
  std::vector<model::Strategy> strategies;  ///< the retrieved strategies; the answer chooses among them
};
provider::RoleRequest strategist_request(const StrategistQuestion &question);
/// Ids, best first. An id that was not offered, or a repeated id, is an error.
Result<std::vector<std::string>> parse_strategist_answer(std::string_view content,
                                                         const std::vector<model::Strategy> &asked);

/// The outcomes of strategies in this run or earlier ones, as text: "wide-access: faster 1.42x; with c0007
/// ...".
using Experience = std::vector<std::string>;

/// Asks for the first population.
struct InitialQuestion {
  const KernelBrief &brief;
  Analysis analysis;                       ///< of the original
  std::vector<model::Strategy> retrieved;  ///< best first
  Experience experience;
  std::size_t count = 8;  ///< how many are asked for
};
provider::RoleRequest initial_request(const InitialQuestion &question);

/// Asks for one child of two parents from their texts; no code is shown and none is asked for.
struct CrossoverQuestion {
  const KernelBrief &brief;
  Analysis analysis;  ///< of the better parent
  model::Strategy first,
      second;  ///< aligned; `first` is the better one, whose variant the child starts from
  double first_score = 0, second_score = 0;
  std::vector<std::string> conflicts;  ///< what excludes each other; see conflicts_between()
  Experience experience;               ///< of this run, failures above all
};
provider::RoleRequest crossover_request(const CrossoverQuestion &question);

/// K-Search (arXiv 2602.19128): at most `most` new strategies below a realised one, each with its predicted
/// effect.
struct ExtendQuestion {
  const KernelBrief &brief;
  Analysis analysis;
  model::Strategy realised;
  double predicted = 1, observed = 1;  ///< speed-up over the base it was applied to
  Experience tried;                    ///< siblings and children so far, with predicted and observed effect
  std::size_t most = 3;
};
provider::RoleRequest extend_request(const ExtendQuestion &question);

/// Format:
/// {"cupilot_answer":1,"strategies":[{"title","from":[ids],"needs":[],"steps":[],"effect","risk","gain",
/// "conflicts":[]}]}, with 1 to `most` strategies. Each has a title, steps and a gain > 0. The search assigns
/// the ids.
Result<std::vector<model::Strategy>> parse_strategies_answer(std::string_view answer, std::size_t most);

}  // namespace cupilot::role
