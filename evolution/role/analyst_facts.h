// SPDX-License-Identifier: Apache-2.0
//
// The facts that the analyst uses: one workload of a verdict, for the original or for the candidate.
// Hold-outs are never used.

#pragma once

#include <map>
#include <optional>
#include <string>

#include "evolution/model/verdict.h"

namespace cupilot::role {

inline constexpr const char *kDramShareCounter = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
inline constexpr const char *kWarpsCounter = "sm__warps_active.avg.pct_of_peak_sustained_active";
inline constexpr const char *kIssueCounter = "smsp__issue_active.avg.pct_of_peak_sustained_active";
inline constexpr const char *kTensorCounter =
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";

struct RunFacts {
  std::string workload;
  double time_us = 0;
  bool estimated = false;  ///< estimated by the CPU executor, not measured
  bool counted = false;    ///< hardware counters are available
  std::map<std::string, double> counters;
  std::string note;  ///< why there are no counters
  std::string bound,
      parts;  ///< of an estimate: name of the largest part; text such as "dram 412.0 us, issue 100.0 us"
  std::string roofline_class;  ///< empty: unknown
  double memory_share = 0,
         compute_share = 0;  ///< 0..1, shares of the measured copy bandwidth and of the arithmetic peak
  double flop_share = 0;     ///< share of the peak reached by float operations alone; 0: unknown
  double least_bytes = 0, copy_gbs = 0;
  int registers = 0, spill_bytes = 0, static_shared_bytes = 0;  ///< of the candidate; 0: unknown
  std::string slowest;  ///< the timed workload with the candidate's lowest speed-up, if below 1
  double slowest_speedup = 1;

  /// The counter's value; 0 if it was not collected.
  double counter(const std::string &name) const;
};

/// The facts of the timed workload with the longest weighted time of the original; empty if nothing was timed
/// or estimated.
std::optional<RunFacts> run_facts(const model::Verdict &verdict, bool of_candidate);

/// All known facts as lines "name: value", for a model.
std::string figures_text(const RunFacts &facts);

}  // namespace cupilot::role
