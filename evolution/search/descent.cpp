// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/descent.h"

#include <algorithm>
#include <map>
#include <set>

#include "evolution/search/knobs.h"

namespace cupilot::search {
namespace {

// A move must gain at least this much, which is the judge's resolution.
constexpr double kWorthAMove = 1.005;
// Tuning knobs seldom compensates for a structure that is this far behind the best.
constexpr double kWorthDescending = 0.7;
constexpr int kMostPasses = 4;

/// One structure (set of strategies) that is being tuned.
class Descent {
public:
  Descent(const Evaluated &start, double plateau)
      : point_(&start), pass_start_(score(start.verdict)), plateau_(plateau) {}

  bool finished() const { return finished_ || point_->individual.knobs.empty(); }

  /// The current point with the current knob at each other value, nearest first, except values that failed
  /// before.
  Result<std::vector<model::Individual>> proposals() const {
    const model::Knob &knob = point_->individual.knobs[axis_];
    std::vector<model::Individual> proposals;
    for (const long long value : neighbours_first(knob)) {
      if (infeasible_.contains({knob.name, value})) continue;
      std::vector<long long> values;
      for (const model::Knob &one : point_->individual.knobs) values.push_back(one.value);
      values[axis_] = value;
      CUPILOT_TRY(individual, with_knobs(point_->individual, values));
      proposals.push_back(std::move(individual));
    }
    return proposals;
  }

  void move(const std::vector<const Evaluated *> &answers) {
    const Evaluated *best = point_;
    for (const Evaluated *answer : answers) {
      if (answer == nullptr) continue;
      const model::Knob &knob = answer->individual.knobs[axis_];
      // A value that failed at one point is not tried at others: block too large, shared memory too small.
      if (score(answer->verdict) <= 0)
        infeasible_.insert({knob.name, knob.value});
      else if (score(answer->verdict) > score(best->verdict))
        best = answer;
    }
    if (score(best->verdict) >= kWorthAMove * score(point_->verdict)) point_ = best;
    next_axis();
  }

private:
  void next_axis() {
    if (++axis_ < point_->individual.knobs.size()) return;
    axis_ = 0;
    const double gained = score(point_->verdict) / pass_start_ - 1;
    finished_ = gained < plateau_ || ++passes_ >= kMostPasses || point_->individual.knobs.size() == 1;
    pass_start_ = score(point_->verdict);
  }

  const Evaluated *point_;
  double pass_start_, plateau_;
  std::size_t axis_ = 0;
  int passes_ = 0;
  bool finished_ = false;
  std::set<std::pair<std::string, long long>> infeasible_;
};

}  // namespace

std::vector<const Evaluated *> best_of_each(const Evaluator &evaluator, const TuneSettings &settings) {
  std::map<std::vector<std::string>, const Evaluated *> best;
  for (const Evaluated &one : evaluator.all()) {
    if (one.seed != settings.seed || score(one.verdict) <= 0) continue;
    const Evaluated *&entry = best[one.individual.strategies];
    if (entry == nullptr || score(one.verdict) > score(entry->verdict)) entry = &one;
  }
  std::vector<const Evaluated *> points;
  for (const auto &[strategies, one] : best) points.push_back(one);
  std::ranges::sort(points, [](const Evaluated *a, const Evaluated *b) {
    const double left = score(a->verdict), right = score(b->verdict);
    return left != right ? left > right : a->individual.id < b->individual.id;
  });
  std::erase_if(points, [&, first = points.empty() ? 0 : score(points[0]->verdict)](const Evaluated *one) {
    return score(one->verdict) < kWorthDescending * first;
  });
  if (points.size() > settings.descents) points.resize(settings.descents);
  return points;
}

Result<model::Individual> with_knobs(const model::Individual &individual,
                                     const std::vector<long long> &values) {
  model::Individual child = individual;
  child.id.clear();
  if (!individual.id.empty()) child.parents = {individual.id};
  for (std::size_t i = 0; i < values.size(); ++i) {
    CUPILOT_TRY(variant, set_knob(child.variant, child.knobs[i].name, values[i]));
    child.variant = std::move(variant);
    child.knobs[i].value = values[i];
  }
  return child;
}

Result<void> descend(Evaluator &evaluator, const TuneSettings &settings) {
  std::vector<Descent> descents;
  for (const Evaluated *start : best_of_each(evaluator, settings))
    descents.emplace_back(*start, settings.plateau);
  while (!evaluator.done()) {
    std::erase_if(descents, [](const Descent &one) { return one.finished(); });
    if (descents.empty()) break;
    Round round{.name = "knobs", .individuals = {}, .seed = settings.seed};
    std::vector<std::size_t> shares;
    for (const Descent &descent : descents) {
      CUPILOT_TRY(proposals, descent.proposals());
      shares.push_back(proposals.size());
      round.individuals.insert(round.individuals.end(), proposals.begin(), proposals.end());
    }
    CUPILOT_TRY(answers, evaluator.judge(std::move(round)));
    auto from = answers.begin();
    for (std::size_t i = 0; i < descents.size(); ++i) {
      const auto to = from + static_cast<std::ptrdiff_t>(shares[i]);
      descents[i].move({from, to});
      from = to;
    }
  }
  return {};
}

}  // namespace cupilot::search
