// SPDX-License-Identifier: Apache-2.0
//
// A policy decides what to try next: it proposes individuals and reads their verdicts. All policies share the
// judge, the run database, the budget and the roles. A policy is one function, listed in one table; the head
// of its file describes its algorithm.

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

namespace cupilot::search {

struct PolicyContext {
  const spec::KernelSpec &spec;  ///< without its hold-outs
  const TuneSettings &settings;
  const strategy::StrategyPool &pool;
  const std::vector<model::StrategyOutcome> &history;
  RoleCaller &rules;   ///< asks built-in rules
  RoleCaller &models;  ///< asks the provider that was chosen for the role
  Breeder &breeder;
  Evaluator &evaluator;
  Workshop &workshop;
  std::function<spec::CodeFacts(const std::string &variant)> facts_of = {};
};

/// Returns when nothing is left to try or when the evaluator is done. A policy is deterministic given the
/// verdicts and the seed; therefore a killed search can be resumed.
using PolicyFunction = Result<void> (*)(PolicyContext &context);

/// Whether a policy uses a model.
enum class ModelUse { none, required, optional };

struct Policy {
  const char *name;
  ModelUse model;
  bool has_options;  ///< run_options() lists the settings of its runs; false: the policy has no settings
  PolicyFunction run;
};
std::span<const Policy> policies();
/// The names of the policies that use a model in this way.
std::vector<std::string> policy_names(ModelUse use);

/// An unknown name is a user error.
Result<const Policy *> find_policy(const std::string &name);

Result<void> run_rules(PolicyContext &context);
Result<void> run_sce(PolicyContext &context);
Result<void> run_refine(PolicyContext &context);
Result<void> run_tree(PolicyContext &context);
Result<void> run_branches(PolicyContext &context);
Result<void> run_knobs(PolicyContext &context);
Result<void> run_auto(PolicyContext &context);
Result<void> run_random(PolicyContext &context);
Result<void> run_exhaustive(PolicyContext &context);

/// Judges the variants that each built-in rule makes alone.
Result<void> judge_single_rules(PolicyContext &context);

/// Policy `rules`: all of `ids` together, then all triples, then all pairs; each set is in the order of
/// `ids`.
std::vector<StrategySet> compositions(const StrategySet &ids);

/// Policy `sce`: an epoch ends after this many generations in a row that gain less than the plateau.
inline constexpr std::size_t kFlatGenerations = 2;
/// Policy `refine`: a step that stays broken is regenerated this many times.
inline constexpr int kMostRegenerations = 3;
/// Policy `branches`: attempts at a branch's first idea before the branch is closed, and the number of phases
/// in a row without any improvement after which the policy ends.
inline constexpr int kMostFirstTries = 3, kMostIdlePhases = 3;
/// Policy `tree`: the number of children proposed at once below a node.
inline constexpr std::size_t kMostChildren = 3;

}  // namespace cupilot::search
