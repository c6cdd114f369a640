// SPDX-License-Identifier: Apache-2.0
//
// Policy `rules`: tries every strategy alone. Those that write a kernel anew (evolution/schedule) stay alone;
// if the best is one of the others, which change what is there, it goes on with all pairs and triples of
// these that were correct, and all together, and greedily adds one more to the best. Then it tunes the knobs
// of the best few by coordinate descent.

#include "evolution/search/policy.h"

#include <algorithm>

#include "evolution/role/strategist.h"
#include "evolution/schedule/schedule.h"
#include "evolution/search/descent.h"
#include "evolution/strategy/features.h"
#include "evolution/strategy/retrieval.h"

namespace cupilot::search {
namespace {

// One more strategy must gain at least this much; otherwise the difference is noise and the simpler variant
// stays.
constexpr double kWorthOneMore = 1.01;

Result<StrategySet> choose_strategies(PolicyContext &context) {
  const auto features = strategy::kernel_features(context.spec);
  const auto retrieved = strategy::retrieve(context.pool, {.features = features, .only_rules = true});
  const auto request =
      role::strategist_request({.kernel = context.spec.name, .features = features, .strategies = retrieved});
  CUPILOT_TRY(chosen, context.rules.ask<StrategySet>(request, [&](std::string_view content) {
    return role::parse_strategist_answer(content, retrieved);
  }));
  if (!chosen) return fail("choosing strategies: " + chosen.error().reason);
  return *chosen;
}

Result<std::vector<const Evaluated *>> judge_sets(PolicyContext &context, const std::string &name,
                                                  const std::vector<StrategySet> &sets) {
  CUPILOT_TRY(individuals, context.breeder.breed(sets));
  return context.evaluator.judge(
      {.name = name, .individuals = std::move(individuals), .seed = context.settings.seed});
}

/// Strategies that may be part of a larger set, in order: correct alone, or refused alone (another strategy
/// may change that).
struct Usable {
  StrategySet accepted, refused;
};

/// For each of `ids` that the base lacks, the base extended by it; every set is in the order of `ids`.
std::vector<StrategySet> one_more(const StrategySet &base, const StrategySet &ids) {
  std::vector<StrategySet> sets;
  for (const std::string &extra : ids) {
    if (std::ranges::find(base, extra) != base.end()) continue;
    StrategySet set = base;
    set.push_back(extra);
    std::ranges::sort(set, {},
                      [&](const std::string &id) { return std::ranges::find(ids, id) - ids.begin(); });
    sets.push_back(std::move(set));
  }
  return sets;
}

/// The sets of strategies that apply alone, and pairs of one that applies with one that does not, because the
/// first may enable the second.
std::vector<StrategySet> sets_to_compose(const StrategySet &order, const Usable &usable) {
  std::vector<StrategySet> sets = compositions(usable.accepted);
  for (const std::string &id : usable.accepted) {
    StrategySet pair_order;
    for (const std::string &other : order)
      if (other == id || std::ranges::find(usable.refused, other) != usable.refused.end())
        pair_order.push_back(other);
    const auto pairs = one_more({id}, pair_order);
    sets.insert(sets.end(), pairs.begin(), pairs.end());
  }
  return sets;
}

bool is_schedule(const PolicyContext &context, const std::string &id) {
  const model::Strategy *known = context.pool.find(id);
  return known != nullptr && schedule::find_schedule(known->rule) != nullptr;
}

Result<Usable> try_singles(PolicyContext &context, const StrategySet &ids) {
  std::vector<StrategySet> sets;
  for (const std::string &id : ids) sets.push_back({id});
  // Few variants of strategies that apply turn out to be wrong, so their combinations are prepared while they
  // are judged.
  CUPILOT_CHECKED(context.breeder.breed(sets));
  Usable usable;
  for (const std::string &id : ids)
    if (!is_schedule(context, id))
      (context.breeder.refused_alone(id) ? usable.refused : usable.accepted).push_back(id);
  context.breeder.foresee(sets_to_compose(ids, usable));

  CUPILOT_TRY(answers, judge_sets(context, "singles", sets));
  std::erase_if(usable.accepted, [&](const std::string &id) {
    return std::ranges::none_of(answers, [&](const Evaluated *one) {
      return one != nullptr && score(one->verdict) > 0 && one->individual.strategies == StrategySet{id};
    });
  });
  return usable;
}

Result<void> extend_greedily(PolicyContext &context, const StrategySet &order, const Usable &usable) {
  StrategySet candidates;
  for (const std::string &id : order)
    if (std::ranges::find(usable.accepted, id) != usable.accepted.end() ||
        std::ranges::find(usable.refused, id) != usable.refused.end())
      candidates.push_back(id);
  while (!context.evaluator.done() && context.evaluator.best() != nullptr) {
    const Evaluated *base = context.evaluator.best();
    CUPILOT_CHECKED(judge_sets(context, "one more", one_more(base->individual.strategies, candidates)));
    if (score(context.evaluator.best()->verdict) < kWorthOneMore * score(base->verdict)) break;
  }
  return {};
}

void add_subsets(const StrategySet &ids, std::size_t size, std::vector<StrategySet> &sets) {
  std::vector<bool> chosen(ids.size(), false);
  std::fill_n(chosen.begin(), size, true);
  do {
    StrategySet set;
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (chosen[i]) set.push_back(ids[i]);
    sets.push_back(std::move(set));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
}

}  // namespace

std::vector<StrategySet> compositions(const StrategySet &ids) {
  std::vector<StrategySet> sets;
  if (ids.size() > 3) sets.push_back(ids);
  if (ids.size() >= 3) add_subsets(ids, 3, sets);
  if (ids.size() >= 2) add_subsets(ids, 2, sets);
  return sets;
}

Result<void> run_rules(PolicyContext &context) {
  CUPILOT_TRY(order, choose_strategies(context));
  CUPILOT_TRY(usable, try_singles(context, order));
  if (context.evaluator.done()) return {};
  const Evaluated *best = context.evaluator.best();
  const bool anew =
      best != nullptr && std::ranges::any_of(best->individual.strategies,
                                             [&](const std::string &id) { return is_schedule(context, id); });
  if (!anew) {
    CUPILOT_CHECKED(judge_sets(context, "compositions", sets_to_compose(order, usable)));
    CUPILOT_CHECKED(extend_greedily(context, order, usable));
  }
  if (context.evaluator.done()) return {};
  return descend(context.evaluator, context.settings);
}

}  // namespace cupilot::search
