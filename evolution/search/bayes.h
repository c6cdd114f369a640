// SPDX-License-Identifier: Apache-2.0
//
// Constrained Bayesian optimisation over declared knobs. It finds values that help only in combination, which
// coordinate descent cannot find. One Gaussian process models the score of feasible points; another one
// models which points are feasible. A proposal that is probably infeasible is replaced by the nearest point
// that is probably feasible.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/individual.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/gaussian_process.h"
#include "evolution/search/tune.h"

namespace cupilot::search {

/// One value for each knob, in the order of the knobs.
using KnobValues = std::vector<long long>;

/// Explores the knob values of one structure: stores the observed scores and proposes points to try next.
class KnobExplorer {
public:
  /// Every knob has at least one value.
  explicit KnobExplorer(std::vector<model::Knob> knobs, std::uint64_t seed = 0);

  /// A score of 0 means that the point is infeasible: it did not build or was not correct. A later
  /// observation of the same point replaces the earlier one.
  void observe(const KnobValues &values, double score);
  /// Up to `count` points that have not been observed. Each point is chosen as if the points before it had
  /// given the predicted score. Returns fewer points when no remaining point is expected to improve the best
  /// score by more than `worth` (relative).
  std::vector<KnobValues> propose(std::size_t count, double worth) const;

  /// Unobserved points that are far from all observed ones, the farthest first. Descent only samples along
  /// the axes; a surrogate fitted to those samples alone would predict no gain away from the axes.
  std::vector<KnobValues> spread(std::size_t count) const;

  /// Number of points in the space; counting stops at a million.
  std::size_t size() const;
  bool exhausted() const { return known_.size() >= size(); }

private:
  Position position(const KnobValues &values) const;
  std::vector<KnobValues> candidates() const;

  std::vector<model::Knob> knobs_;
  std::vector<std::vector<double>> axes_;  ///< for each knob, the positions of its values, 0..1
  std::uint64_t seed_;
  std::map<KnobValues, double> known_;
};

/// The positions of a knob's values on its axis, 0..1. They are logarithmic if all values are powers of two.
/// Otherwise they are evenly spaced in the declared order, because the values may be mere labels.
std::vector<double> axis_of(const model::Knob &knob);

/// Tunes the knobs of the best individuals. Coordinate descent runs first; a knob space with more points than
/// descent could try is then explored by KnobExplorer.
Result<void> tune_knobs(Evaluator &evaluator, const TuneSettings &settings);

}  // namespace cupilot::search
