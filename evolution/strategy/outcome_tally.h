// SPDX-License-Identifier: Apache-2.0
//
// What the history says of one strategy for one kernel on one architecture: weights for ranking, counts for
// words. An outcome weighs 1 when it was measured on the same architecture for a kernel of the same features
// and class, and less the less it is like that; of the very same kernel it weighs 2.

#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "evolution/model/strategy_outcome.h"

namespace cupilot {

/// The kernel that outcomes are compared with. Empty members are not known.
struct KernelLikeness {
  std::string architecture;  ///< "sm_90"; "sm_90a" is the same
  std::set<std::string> features;
  std::string roofline_class, kernel_id;
};

/// 0 .. 2.
double weight_of(const StrategyOutcome &outcome, const KernelLikeness &kernel);

struct OutcomeTally {
  /// Verdicts counted as they stand, without weights.
  struct Count {
    int wins = 0, tries = 0;
    std::vector<double> speedups;  ///< of what was timed
  };
  double realised = 0, failed = 0;     ///< weights: a variant was timed; none was, or a wrong one
  double timed = 0, log_speedups = 0;  ///< weights of the timed ones, and their weighted sum of log(speed-up)
  Count here, elsewhere;               ///< measured: on the kernel's architecture, on others
  Count estimated;                     ///< by the CPU executor, anywhere
  std::set<std::string> other_architectures;
  std::map<std::string, int> failures;  ///< "build_failed", "wrong", "refused", ...; anywhere

  void add(const StrategyOutcome &outcome, const KernelLikeness &kernel);
  bool empty() const { return here.tries + elsewhere.tries + estimated.tries == 0; }
  /// "3 wins of 4 on sm_90, median 1.38x; failed once (build_failed)"; empty without outcomes.
  std::string words(const std::string &architecture) const;
};

/// By strategy id. Outcomes that were never evaluated are not there.
std::map<std::string, OutcomeTally> tallies_of(std::span<const StrategyOutcome> history,
                                               const KernelLikeness &kernel);

}  // namespace cupilot
