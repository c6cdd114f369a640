// SPDX-License-Identifier: Apache-2.0
//
// Summarises the history of one strategy for one kernel on one architecture: weights for ranking, counts for
// text. An outcome weighs 1 if it was measured on the same architecture for a kernel with the same features
// and class, and less the less it resembles that. An outcome of the very same kernel has twice the weight.

#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "evolution/model/strategy_outcome.h"

namespace cupilot::strategy {

/// The kernel that outcomes are compared with. Empty members are unknown.
struct KernelLikeness {
  std::string architecture;  ///< "sm_90"; "sm_90a" is treated as equal
  std::set<std::string> features;
  std::string roofline_class, kernel_id;
};

/// The weight of an outcome for this kernel, 0 to 2.
double weight_of(const model::StrategyOutcome &outcome, const KernelLikeness &kernel);

struct OutcomeTally {
  /// Numbers of verdicts, without weights.
  struct Count {
    int wins = 0, tries = 0;
    std::vector<double> speedups;  ///< of timed outcomes
  };
  double realised = 0, failed = 0;  ///< sums of weights: outcomes with a timed variant; outcomes without one
  double timed = 0,
         log_speedups = 0;  ///< sum of the weights of timed outcomes, and weighted sum of their log(speed-up)
  Count here, elsewhere;    ///< measured outcomes: on the kernel's architecture, on other architectures
  Count estimated;          ///< outcomes estimated by the CPU executor, for any architecture
  std::set<std::string> other_architectures;
  std::map<std::string, int> failures;  ///< "build_failed", "wrong", "refused", ...; all architectures

  void add(const model::StrategyOutcome &outcome, const KernelLikeness &kernel);
  bool empty() const { return here.tries + elsewhere.tries + estimated.tries == 0; }
  /// A text such as "3 wins of 4 on sm_90, median 1.38x; failed once (build_failed)"; empty without outcomes.
  std::string words(const std::string &architecture) const;
};

/// One tally for each strategy id. Outcomes that were never evaluated are ignored.
std::map<std::string, OutcomeTally> tallies_of(std::span<const model::StrategyOutcome> history,
                                               const KernelLikeness &kernel);

}  // namespace cupilot::strategy
