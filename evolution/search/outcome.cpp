// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/outcome.h"

#include <fmt/format.h>
#include <algorithm>

#include "evolution/role/words.h"
#include "evolution/search/knobs.h"

namespace cupilot::search {
namespace {

/// Of two individuals with the same strategies, the one shown in the report.
bool speaks_first(const Evaluated &a, const Evaluated &b) {
  const bool a_faster = a.verdict.kind == model::VerdictKind::faster,
             b_faster = b.verdict.kind == model::VerdictKind::faster;
  if (a_faster != b_faster) return a_faster;
  return score(a.verdict) > score(b.verdict);
}

struct Group {
  const Evaluated *best;
  std::size_t candidates = 0;
};

/// Grouped by set of strategies, in the order in which they were first tried.
std::vector<Group> groups_of(const Evaluator &evaluator, std::uint64_t seed) {
  std::vector<Group> groups;
  for (const Evaluated &one : evaluator.all()) {
    if (one.seed != seed) continue;
    auto group = std::ranges::find_if(groups, [&](const Group &known) {
      return known.best->individual.strategies == one.individual.strategies;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), {&one});
    ++group->candidates;
    if (speaks_first(one, *group->best)) group->best = &one;
  }
  return groups;
}

std::string why_lost(const Evaluated &one, const Evaluator &evaluator, const TuneOutcome &outcome) {
  if (one.verdict.kind != model::VerdictKind::faster) return one.verdict.reason;
  for (const Evaluated &again : evaluator.all())
    if (again.seed == outcome.confirm_seed && again.individual.id == one.individual.id &&
        again.verdict.kind != model::VerdictKind::faster)
      return fmt::format("judged again on fresh data it was {}: {}", model::to_string(again.verdict.kind),
                         again.verdict.reason);
  if (!outcome.winner) return "not confirmed";
  const auto won = score(outcome.winner->verdict);
  const bool estimated = !one.verdict.estimates.empty();
  if (score(one.verdict) >= won / (1 + evaluator.tie()) &&
      one.individual.strategies.size() > outcome.winner->individual.strategies.size())
    return fmt::format("{} cannot distinguish it from the winner ({}), which is simpler",
                       estimated ? "estimates" : "measurements", role::factor(won));
  return fmt::format("{}, but less than the winner's {}", estimated ? "estimated faster" : "faster",
                     role::factor(won));
}

TriedStrategies tried_row(const Group &group, const Evaluator &evaluator, const TuneOutcome &outcome) {
  const Evaluated &one = *group.best;
  TriedStrategies row{.strategies = one.individual.strategies,
                      .individual = one.individual.id,
                      .knobs = describe_knobs(one.individual.knobs),
                      .candidates = group.candidates,
                      .verdict = one.verdict.kind,
                      .speedup = model::overall_speedup(one.verdict),
                      .estimate = model::overall_estimate(one.verdict)};
  if (outcome.winner && outcome.winner->individual.strategies == one.individual.strategies) {
    row.won = true;
    row.individual = outcome.winner->individual.id;
    row.knobs = describe_knobs(outcome.winner->individual.knobs);
    row.speedup = model::overall_speedup(outcome.winner->verdict);
    row.estimate = model::overall_estimate(outcome.winner->verdict);
    row.reason = "won";
  } else {
    row.reason = why_lost(one, evaluator, outcome);
  }
  return row;
}

Result<std::optional<model::Verdict>> shown_verdict(const Evaluator &evaluator, const TuneOutcome &outcome) {
  if (outcome.winner) return outcome.winner->verdict;
  if (outcome.best) return outcome.best->verdict;
  for (const Evaluated &one : evaluator.all()) {
    if (one.verdict.measurements.empty() && one.verdict.estimates.empty()) continue;
    CUPILOT_TRY(whole, evaluator.whole_verdict(one));
    return whole;
  }
  return std::nullopt;
}

/// Strategies of a model that could not be realised, besides those of the rules.
void add_refused(const Evaluator &evaluator, TuneOutcome &outcome) {
  for (const Evaluator::Refused &one : evaluator.refused())
    outcome.tried.push_back({.strategies = {one.strategy.id}, .reason = one.reason});
}

}  // namespace

std::vector<std::string> declined_workloads(const std::vector<model::Case> &cases,
                                            const model::Verdict &verdict) {
  std::vector<std::string> lines;
  for (const model::Case &one : cases)
    if (one.id == one.workload &&
        std::ranges::find(verdict.cases_passed, one.id) == verdict.cases_passed.end())
      lines.push_back(
          fmt::format("workload '{}': the variant declines it, so the original runs there", one.id));
  return lines;
}

Result<void> summarise(const Evaluator &evaluator, const Breeder &breeder, TuneOutcome &outcome) {
  for (const Group &group : groups_of(evaluator, outcome.seed))
    outcome.tried.push_back(tried_row(group, evaluator, outcome));
  for (const TriedStrategies &failed : breeder.failed()) {
    // A refused set that contains a strategy refused alone needs no line of its own.
    const bool expected =
        failed.strategies.size() > 1 && std::ranges::any_of(failed.strategies, [&](const std::string &id) {
          return breeder.refused_alone(id);
        });
    if (!expected) outcome.tried.push_back(failed);
  }
  add_refused(evaluator, outcome);
  CUPILOT_TRY(shown, shown_verdict(evaluator, outcome));
  if (shown) {
    outcome.measurements = std::move(shown->measurements);
    outcome.estimates = std::move(shown->estimates);
    outcome.limits = std::move(shown->limits);
    outcome.device = std::move(shown->device);
  }
  for (const Evaluated &one : evaluator.all()) ++outcome.counts[one.verdict.kind];
  outcome.judged = evaluator.judged();
  outcome.resumed = evaluator.resumed();
  outcome.duplicates = evaluator.duplicates();
  outcome.refused = breeder.failed().size() + evaluator.refused().size();
  outcome.elapsed = evaluator.allowance().elapsed();
  return {};
}

}  // namespace cupilot::search
