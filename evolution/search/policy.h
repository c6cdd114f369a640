// SPDX-License-Identifier: Apache-2.0
//
// A policy decides what to try next: it proposes individuals and looks at their verdicts. Judge, run
// database, budget and roles are shared by all policies. A policy is one function in one table; its file
// begins with its idea.

#pragma once

#include <cstddef>
#include <functional>
#include <span>
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

/// Returns when nothing is left to try or the evaluator is done. Deterministic given the verdicts and the
/// seed: that is what makes a killed search go on.
using PolicyFunction = Result<void> (*)(PolicyContext &context);

/// What a policy does with a model.
enum class ModelUse { none, required, optional };

struct Policy {
  const char *name;
  ModelUse model;
  bool has_options;  ///< run_options() of its runs says what was set; false: there is nothing to set
  PolicyFunction run;
};
std::span<const Policy> policies();
/// Of the policies that use a model in this way.
std::vector<std::string> policy_names(ModelUse use);

/// A name nobody knows is the user's error.
Result<const Policy *> find_policy(const std::string &name);

Result<void> run_rules(PolicyContext &context);
Result<void> run_sce(PolicyContext &context);
Result<void> run_refine(PolicyContext &context);
Result<void> run_tree(PolicyContext &context);
Result<void> run_branches(PolicyContext &context);
Result<void> run_knobs(PolicyContext &context);
Result<void> run_auto(PolicyContext &context);
Result<void> run_random(PolicyContext &context);

/// rules: all pairs and triples of `ids` and the whole, each in the order of `ids`; the whole first.
std::vector<StrategySet> compositions(const StrategySet &ids);

/// sce: after this many generations in a row that gain less than the plateau the epoch is over.
inline constexpr std::size_t kFlatGenerations = 2;
/// refine: a step that stays broken is written anew this often.
inline constexpr int kMostRegenerations = 3;
/// branches: tries at a branch's first idea before the branch is closed, and phases in a row in which no
/// branch gets better before all ends.
inline constexpr int kMostFirstTries = 3, kMostIdlePhases = 3;
/// tree: children proposed at once below a node.
inline constexpr std::size_t kMostChildren = 3;

}  // namespace cupilot
