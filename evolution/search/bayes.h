// SPDX-License-Identifier: Apache-2.0
//
// Constrained Bayesian optimisation over declared knobs, for what coordinate descent cannot see: values that
// help only together. The surrogate of the score knows feasible points only; what is feasible
// has a surrogate of its own; a proposal that is probably infeasible is repaired to its nearest neighbour
// that probably is not.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/individual.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/gaussian_process.h"
#include "evolution/search/tune.h"

namespace cupilot {

/// One value for each knob, in their order.
using KnobValues = std::vector<long long>;

/// The knobs of one structure: what is known of their values, and what to try next.
class KnobExplorer {
public:
  /// Every knob has at least one value.
  explicit KnobExplorer(std::vector<Knob> knobs, std::uint64_t seed = 0);

  /// A score of 0: not correct, not built. The latest word on a point counts.
  void observe(const KnobValues &values, double score);
  /// Never a point observed before, whatever came of it. Up to `count` at once: each next one is chosen as if
  /// the ones before had turned out as predicted. Fewer where no improvement above `worth` (relative) is
  /// expected any more.
  std::vector<KnobValues> propose(std::size_t count, double worth) const;

  /// New points far from all that is known, the farthest first: descent only ever looks along the axes, and a
  /// surrogate of that alone believes that nothing is beside them.
  std::vector<KnobValues> spread(std::size_t count) const;

  /// How many points there are; stops counting at a million.
  std::size_t size() const;
  bool exhausted() const { return known_.size() >= size(); }

private:
  Position position(const KnobValues &values) const;
  std::vector<KnobValues> candidates() const;

  std::vector<Knob> knobs_;
  std::vector<std::vector<double>> axes_;  ///< of each knob, where its values lie: 0..1
  std::uint64_t seed_;
  std::map<KnobValues, double> known_;
};

/// Where a knob's values lie on its axis, 0..1: by logarithm where all are powers of two, else evenly in the
/// order declared (they may be names of things).
std::vector<double> axis_of(const Knob &knob);

/// The knobs of the best individuals: coordinate descent, then those with more values than descent could try
/// are explored.
Result<void> tune_knobs(Evaluator &evaluator, const TuneSettings &settings);

}  // namespace cupilot
