// SPDX-License-Identifier: Apache-2.0
//
// Makes an individual from a set of strategies by asking the translator role; each set is asked about once.
// Sets that gave no individual (a precondition does not hold, or there was no usable answer) are kept for the
// report.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "evolution/role/translator.h"
#include "evolution/search/role_caller.h"
#include "evolution/search/tune.h"
#include "evolution/strategy/pool.h"

namespace cupilot::search {

/// Strategy ids, in the order in which they are applied.
using StrategySet = std::vector<std::string>;

class Breeder {
public:
  Breeder(const spec::KernelSpec &spec, const TuneCollaborators &with, RoleCaller &roles)
      : spec_(spec), with_(with), roles_(roles) {}

  /// The individuals made from these sets, in the order of the sets and without ids. Returns early when the
  /// search is stopped.
  Result<std::vector<model::Individual>> breed(const std::vector<StrategySet> &sets);

  /// Starts to ask about sets that may be bred next, while other candidates are judged.
  void foresee(const std::vector<StrategySet> &sets);

  /// The sets that gave no individual, in the order in which they were tried.
  const std::vector<TriedStrategies> &failed() const { return failed_; }
  bool refused_alone(const std::string &strategy) const;

private:
  Result<void> ask_about(const std::vector<StrategySet> &sets);
  std::vector<model::Strategy> strategies_of(const StrategySet &set) const;
  std::optional<model::Individual> individual_of(const StrategySet &set,
                                                 const Answered<role::TranslatorAnswer> &answer);

  const spec::KernelSpec &spec_;
  TuneCollaborators with_;
  RoleCaller &roles_;
  std::map<StrategySet, std::optional<model::Individual>> known_;
  std::vector<TriedStrategies> failed_;
};

}  // namespace cupilot::search
