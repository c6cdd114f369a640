// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/strategy_outcomes.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "evolution/strategy/features.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::search {
namespace {

using Ids = std::vector<std::string>;

/// The evidence of one individual about one strategy.
struct Evidence {
  int company = 0;  ///< 0: alone on the original, 1: with others, 2: on another variant; lower is better
  model::VerdictKind verdict = model::VerdictKind::not_evaluated;
  double speedup = 0;
  std::string reason;

  bool better_than(const Evidence &other) const {
    if (company != other.company) return company < other.company;
    const bool faster = verdict == model::VerdictKind::faster,
               other_faster = other.verdict == model::VerdictKind::faster;
    if (faster != other_faster) return faster;
    return speedup > other.speedup;
  }
};

class Collector {
public:
  explicit Collector(const OutcomeQuestion &question) : question_(question) {
    for (const Evaluated &one : question.evaluator.all())
      if (one.seed == question.settings.seed) by_name_.emplace(one.individual.id, &one);
  }

  void collect() {
    for (const Evaluated &one : question_.evaluator.all())
      if (one.seed == question_.settings.seed) add(one);
  }
  const std::map<std::string, Evidence> &evidence() const { return evidence_; }

  /// Ids of the pool: the strategy itself, or the strategies it was made of.
  Ids of_pool(const std::string &id, const std::string &text) const {
    if (question_.pool.find(id) != nullptr) return {id};
    return of_pool(strategy::parse_strategy(text, "").strategy.parents);
  }
  Ids of_pool(Ids ids) const {
    std::erase_if(ids, [&](const std::string &id) { return question_.pool.find(id) == nullptr; });
    return ids;
  }

private:
  void add(const Evaluated &one) {
    const model::Individual &individual = one.individual;
    Ids ids;
    for (const std::string &id : individual.strategies)
      for (std::string &known : of_pool(id, individual.strategy_text)) ids.push_back(std::move(known));
    const bool made = question_.winner != nullptr && question_.winner->strategies == individual.strategies &&
                      individual.strategies.size() == 1 &&
                      question_.pool.find(individual.strategies[0]) == nullptr;
    if (made) note(individual.strategies[0], evidence_of(one, 0));
    for (const std::string &id : ids) note(id, evidence_of(one, ids.size() == 1 ? 0 : 1));
  }

  void note(const std::string &id, Evidence evidence) {
    const auto [found, added] = evidence_.try_emplace(id, evidence);
    if (!added && evidence.better_than(found->second)) found->second = std::move(evidence);
  }

  Evidence evidence_of(const Evaluated &one, int company) const {
    Evidence evidence{company, one.verdict.kind, score(one.verdict), one.verdict.reason};
    const Evaluated *base = base_of(one);
    if (base == nullptr) return evidence;
    evidence.company = 2;
    if (evidence.speedup <= 0 || score(base->verdict) <= 0) return evidence;
    evidence.speedup /= score(base->verdict);
    const double tie = same_score(question_.settings);
    evidence.verdict = evidence.speedup > 1 + tie   ? model::VerdictKind::faster
                       : evidence.speedup < 1 - tie ? model::VerdictKind::slower
                                                    : model::VerdictKind::same;
    evidence.reason =
        fmt::format("on a variant with {}: {}", base->individual.strategies.front(), evidence.reason);
    return evidence;
  }

  /// The first ancestor with other strategies; a change of knob values is not a step.
  const Evaluated *base_of(const Evaluated &one) const {
    for (const std::string &parent : one.individual.parents) {
      const auto found = by_name_.find(parent);
      if (found == by_name_.end() || found->second->individual.strategies.empty()) continue;
      if (found->second->individual.strategies != one.individual.strategies) return found->second;
      if (found->second != &one) return base_of(*found->second);
    }
    return nullptr;
  }

  const OutcomeQuestion &question_;
  std::map<std::string, const Evaluated *> by_name_;
  std::map<std::string, Evidence> evidence_;
};

std::string roofline_class_of_original(const Evaluator &evaluator) {
  for (const Evaluated &one : evaluator.all())
    for (const model::Profile &profile : one.verdict.original_profiles)
      if (!profile.roofline_class.empty()) return profile.roofline_class;
  return {};
}

/// Reasons of refusals, by strategy of the pool, for strategies without a verdict.
std::map<std::string, std::string> refusals(const OutcomeQuestion &question, const Collector &collector) {
  std::map<std::string, std::string> reasons;
  for (const TriedStrategies &one : question.breeder.failed())
    if (one.strategies.size() == 1) reasons.emplace(one.strategies[0], one.reason);
  for (const Evaluator::Refused &one : question.evaluator.refused()) {
    const bool known = question.pool.find(one.strategy.id) != nullptr;
    for (const std::string &id : known ? Ids{one.strategy.id} : collector.of_pool(one.strategy.parents))
      reasons.emplace(id, one.reason);
  }
  std::erase_if(reasons, [&](const auto &one) { return collector.evidence().contains(one.first); });
  return reasons;
}

}  // namespace

std::vector<model::StrategyOutcome> strategy_outcomes(const OutcomeQuestion &question) {
  Collector collector(question);
  collector.collect();
  model::StrategyOutcome common{.architecture = question.settings.architecture,
                                .kernel = question.spec.name,
                                .kernel_id = question.spec.kernel_id,
                                .features = strategy::kernel_features(question.spec),
                                .roofline_class = roofline_class_of_original(question.evaluator),
                                .estimated = question.settings.estimates};
  std::vector<model::StrategyOutcome> outcomes;
  for (const auto &[id, evidence] : collector.evidence()) {
    model::StrategyOutcome one = common;
    one.strategy = id;
    one.verdict = evidence.verdict;
    one.speedup = evidence.speedup;
    one.reason = evidence.reason;
    outcomes.push_back(std::move(one));
  }
  for (const auto &[id, reason] : refusals(question, collector)) {
    model::StrategyOutcome one = common;
    one.strategy = id;
    one.refused = true;
    one.reason = reason;
    outcomes.push_back(std::move(one));
  }
  std::ranges::sort(outcomes, {}, &model::StrategyOutcome::strategy);
  return outcomes;
}

}  // namespace cupilot::search
