// SPDX-License-Identifier: Apache-2.0
//
// A policy decides what to try next; it proposes individuals and looks at verdicts. Judge, run database,
// budget and roles are shared by all policies.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "evolution/search/breeder.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/role_caller.h"
#include "evolution/search/tune.h"
#include "evolution/search/workshop.h"
#include "evolution/strategy/pool.h"

namespace cupilot {

struct PolicyContext {
  const KernelSpec &spec;  ///< without its hold-outs
  const TuneSettings &settings;
  const StrategyPool &pool;
  const std::vector<StrategyOutcome> &history;
  RoleCaller &rules;   ///< asks built-in rules
  RoleCaller &models;  ///< asks whoever was chosen for the role
  Breeder &breeder;
  Evaluator &evaluator;
  Workshop &workshop;
  std::function<CodeFacts(const std::string &variant)> facts_of = {};
};

class Policy {
public:
  virtual ~Policy() = default;
  /// Returns when nothing is left to try or the evaluator is done. Deterministic given the verdicts and the
  /// seed: that is what makes a killed search go on.
  virtual Result<void> run(PolicyContext &context) = 0;
};

/// A name nobody knows is the user's error.
Result<std::unique_ptr<Policy>> make_policy(const std::string &name);

}  // namespace cupilot
