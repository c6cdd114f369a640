// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/bayes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>

#include "evolution/search/descent.h"
#include "evolution/search/knobs.h"

namespace cupilot::search {
namespace {

// A space up to this size is searched completely. Of a larger one this many points are drawn, and the
// neighbours of the best point are added.
constexpr std::size_t kMostCandidates = 2048;
constexpr std::size_t kMostPoints = 1'000'000;
// A point with a lower probability of being feasible is repaired.
constexpr double kProbablyFeasible = 0.5;
constexpr std::size_t kAtOnce = 4;
constexpr std::size_t kRoundsWithoutGain = 2;
constexpr std::size_t kMostForEachKnob = 8;
constexpr std::size_t kStructures = 2;

bool is_power_of_two(long long value) {
  return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

double squared_distance(const Position &a, const Position &b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// The models by which a proposal is chosen.
struct Surrogates {
  std::optional<GaussianProcess> score;        ///< of the logarithm of the score; feasible points only
  std::optional<GaussianProcess> feasibility;  ///< of 1 (feasible) and 0; absent while no point failed
  double best = 0;

  double improvement(const Position &position) const {
    return expected_improvement(score.value().at(position), best);
  }
  double feasible(const Position &position) const {
    if (!feasibility) return 1;
    const Prediction one = feasibility->at(position);
    // The added deviation of 0.1 prevents a confident model alone from claiming certainty.
    return normal_share((one.mean - 0.5) / std::hypot(one.deviation, 0.1));
  }
};

struct Candidate {
  KnobValues values;
  Position position;
};

const Candidate *most_improving(const std::vector<Candidate> &candidates, const Surrogates &surrogates,
                                double worth) {
  const Candidate *chosen = nullptr;
  double most = worth;
  for (const Candidate &one : candidates) {
    const double gain = surrogates.improvement(one.position) * surrogates.feasible(one.position);
    if (gain > most) chosen = &one, most = gain;
  }
  return chosen;
}

/// The nearest point that is probably feasible (`wanted` itself if it is); of two equally near ones the one
/// with the larger expected improvement.
const Candidate *repaired(const Candidate &wanted, const std::vector<Candidate> &candidates,
                          const Surrogates &surrogates) {
  const Candidate *chosen = nullptr;
  std::pair<double, double> least;
  for (const Candidate &one : candidates) {
    if (surrogates.feasible(one.position) < kProbablyFeasible) continue;
    const std::pair key(squared_distance(one.position, wanted.position),
                        -surrogates.improvement(one.position));
    if (chosen == nullptr || key < least) chosen = &one, least = key;
  }
  return chosen;
}

}  // namespace

std::vector<double> axis_of(const model::Knob &knob) {
  const bool powers = std::ranges::all_of(knob.values, is_power_of_two);
  std::vector<double> axis;
  for (std::size_t i = 0; i < knob.values.size(); ++i)
    axis.push_back(powers ? std::log2(static_cast<double>(knob.values[i])) : static_cast<double>(i));
  const auto [low, high] = std::ranges::minmax(axis);
  for (double &place : axis) place = high > low ? (place - low) / (high - low) : 0;
  return axis;
}

KnobExplorer::KnobExplorer(std::vector<model::Knob> knobs, std::uint64_t seed)
    : knobs_(std::move(knobs)), seed_(seed) {
  for (const model::Knob &knob : knobs_) axes_.push_back(axis_of(knob));
}

void KnobExplorer::observe(const KnobValues &values, double score) {
  known_[values] = score;
}

std::size_t KnobExplorer::size() const {
  std::size_t size = 1;
  for (const model::Knob &knob : knobs_) size = std::min(kMostPoints, size * knob.values.size());
  return size;
}

Position KnobExplorer::position(const KnobValues &values) const {
  Position position;
  for (std::size_t i = 0; i < knobs_.size(); ++i) {
    const auto place = std::ranges::find(knobs_[i].values, values[i]) - knobs_[i].values.begin();
    position.push_back(axes_[i][static_cast<std::size_t>(place)]);
  }
  return position;
}

/// Unobserved points, in the order of their values.
std::vector<KnobValues> KnobExplorer::candidates() const {
  std::set<KnobValues> found;
  const auto add = [&](KnobValues values) {
    if (!known_.contains(values)) found.insert(std::move(values));
  };
  if (size() <= kMostCandidates) {
    for (KnobValues &values : every_setting(knobs_)) add(std::move(values));
    return {found.begin(), found.end()};
  }
  std::mt19937_64 random(seed_ + known_.size());
  for (std::size_t i = 0; i < kMostCandidates; ++i) {
    KnobValues values;
    for (const model::Knob &knob : knobs_) values.push_back(knob.values[random() % knob.values.size()]);
    add(std::move(values));
  }
  const auto best = std::ranges::max_element(known_, {}, [](const auto &entry) { return entry.second; });
  for (std::size_t i = 0; best != known_.end() && i < knobs_.size(); ++i)
    for (const long long value : knobs_[i].values) {
      KnobValues values = best->first;
      values[i] = value;
      add(std::move(values));
    }
  return {found.begin(), found.end()};
}

std::vector<KnobValues> KnobExplorer::spread(std::size_t count) const {
  std::vector<Position> taken;
  for (const auto &[values, score] : known_) taken.push_back(position(values));
  std::vector<KnobValues> open = candidates(), chosen;
  while (chosen.size() < count && !open.empty()) {
    const auto distance = [&](const KnobValues &values) {
      double nearest = std::numeric_limits<double>::max();
      for (const Position &one : taken) nearest = std::min(nearest, squared_distance(one, position(values)));
      return nearest;
    };
    const auto farthest = std::ranges::max_element(open, {}, distance);
    taken.push_back(position(*farthest));
    chosen.push_back(std::move(*farthest));
    open.erase(farthest);
  }
  return chosen;
}

std::vector<KnobValues> KnobExplorer::propose(std::size_t count, double worth) const {
  std::vector<Position> feasible, all;
  std::vector<double> scores, labels;
  for (const auto &[values, score] : known_) {
    all.push_back(position(values));
    labels.push_back(score > 0 ? 1 : 0);
    if (score <= 0) continue;
    feasible.push_back(all.back());
    scores.push_back(std::log(score));
  }
  if (feasible.empty()) return {};
  Surrogates surrogates{.best = std::ranges::max(scores)};
  if (feasible.size() < all.size()) surrogates.feasibility = GaussianProcess::fit(all, labels);

  std::vector<Candidate> open;
  for (KnobValues &values : candidates()) {
    Position place = position(values);
    open.push_back({std::move(values), std::move(place)});
  }
  std::vector<KnobValues> proposals;
  while (proposals.size() < count) {
    surrogates.score = GaussianProcess::fit(feasible, scores);
    if (!surrogates.score) break;
    const Candidate *wanted = most_improving(open, surrogates, worth);
    if (wanted == nullptr) break;
    const Candidate *chosen = repaired(*wanted, open, surrogates);
    if (chosen == nullptr) break;
    feasible.push_back(chosen->position);
    scores.push_back(surrogates.score->at(chosen->position).mean);
    proposals.push_back(chosen->values);
    open.erase(open.begin() + (chosen - open.data()));
  }
  return proposals;
}

namespace {

KnobValues values_of(const model::Individual &individual) {
  KnobValues values;
  for (const model::Knob &knob : individual.knobs) values.push_back(knob.value);
  return values;
}

/// One structure: a variant's text with arbitrary values of its knobs.
class Exploration {
public:
  Exploration(const Evaluated &start, const Evaluator &evaluator, const TuneSettings &settings)
      : start_(&start), settings_(settings), explorer_(start.individual.knobs, settings.seed) {
    best_ = score(start.verdict);
    const auto structure = at_first_values(start.individual);
    for (const Evaluated &one : evaluator.all()) {
      if (one.seed != settings.seed || one.individual.knobs.size() != start.individual.knobs.size()) continue;
      if (const auto other = at_first_values(one.individual); other && structure && *other == *structure)
        observe(one);
    }
    quiet_rounds_ = 0;
  }

  /// Descent tries all values of a single knob anyway.
  bool worth_a_try() const { return start_->individual.knobs.size() > 1 && !explorer_.exhausted(); }

  Result<std::vector<model::Individual>> proposals() {
    std::vector<model::Individual> individuals;
    const std::size_t most = kMostForEachKnob * start_->individual.knobs.size();
    if (quiet_rounds_ >= kRoundsWithoutGain || asked_ >= most) return individuals;
    const std::size_t count = std::min(kAtOnce, most - asked_);
    for (const KnobValues &values : asked_ == 0
                                        ? explorer_.spread(count)
                                        : explorer_.propose(count, std::log1p(settings_.plateau) / 4)) {
      CUPILOT_TRY(individual, with_knobs(start_->individual, values));
      individuals.push_back(std::move(individual));
    }
    asked_ += individuals.size();
    return individuals;
  }

  void learn(const std::vector<const Evaluated *> &answers) {
    ++quiet_rounds_;
    for (const Evaluated *one : answers)
      if (one != nullptr) observe(*one);
  }

private:
  static Result<std::string> at_first_values(const model::Individual &individual) {
    KnobValues first;
    for (const model::Knob &knob : individual.knobs) first.push_back(knob.values.front());
    CUPILOT_TRY(child, with_knobs(individual, first));
    return child.variant;
  }
  void observe(const Evaluated &one) {
    const double now = score(one.verdict);
    explorer_.observe(values_of(one.individual), now);
    if (now > best_ * (1 + settings_.plateau / 4)) quiet_rounds_ = 0;
    best_ = std::max(best_, now);
  }

  const Evaluated *start_;
  const TuneSettings &settings_;
  KnobExplorer explorer_;
  double best_ = 0;
  std::size_t asked_ = 0, quiet_rounds_ = 0;
};

Result<void> explore_knobs(Evaluator &evaluator, const TuneSettings &settings) {
  std::vector<const Evaluated *> starts = best_of_each(evaluator, settings);
  if (starts.size() > kStructures) starts.resize(kStructures);
  for (const Evaluated *start : starts) {
    Exploration exploration(*start, evaluator, settings);
    while (exploration.worth_a_try() && !evaluator.done()) {
      CUPILOT_TRY(individuals, exploration.proposals());
      if (individuals.empty()) break;
      CUPILOT_TRY(answers, evaluator.judge({.name = "knobs together",
                                            .individuals = std::move(individuals),
                                            .seed = settings.seed}));
      exploration.learn(answers);
    }
  }
  return {};
}

}  // namespace

Result<void> tune_knobs(Evaluator &evaluator, const TuneSettings &settings) {
  CUPILOT_CHECKED(descend(evaluator, settings));
  return explore_knobs(evaluator, settings);
}

}  // namespace cupilot::search
