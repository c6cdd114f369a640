// SPDX-License-Identifier: Apache-2.0
//
// From a set of strategies to an individual, by the translator role; each set is asked about once. What did
// not come to be (a precondition that does not hold, no usable answer) is kept for the report.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "evolution/role/translator.h"
#include "evolution/search/role_caller.h"
#include "evolution/search/tune.h"
#include "evolution/strategy/pool.h"

namespace cupilot {

/// Ids, in the order to apply.
using StrategySet = std::vector<std::string>;

class Breeder {
public:
  Breeder(const KernelSpec &spec, const TuneCollaborators &with, RoleCaller &roles)
      : spec_(spec), with_(with), roles_(roles) {}

  /// The individuals that came of these sets, in their order and without ids. Stops early when the search is
  /// stopped.
  Result<std::vector<Individual>> breed(const std::vector<StrategySet> &sets);

  /// Begins to ask about sets that may be bred next, while others are judged.
  void foresee(const std::vector<StrategySet> &sets);

  /// Sets that gave no individual, in the order tried.
  const std::vector<TriedStrategies> &failed() const { return failed_; }
  bool refused_alone(const std::string &strategy) const;

private:
  Result<void> ask_about(const std::vector<StrategySet> &sets);
  std::vector<Strategy> strategies_of(const StrategySet &set) const;
  std::optional<Individual> individual_of(const StrategySet &set, const Answered<TranslatorAnswer> &answer);

  const KernelSpec &spec_;
  TuneCollaborators with_;
  RoleCaller &roles_;
  std::map<StrategySet, std::optional<Individual>> known_;
  std::vector<TriedStrategies> failed_;
};

}  // namespace cupilot
