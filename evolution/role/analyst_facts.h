// SPDX-License-Identifier: Apache-2.0
//
// What the analyst looks at: one workload of a verdict, of the original or of the candidate. Hold-outs are
// never looked at.

#pragma once

#include <map>
#include <optional>
#include <string>

#include "evolution/model/verdict.h"

namespace cupilot {

inline constexpr const char *kDramShareCounter = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
inline constexpr const char *kWarpsCounter = "sm__warps_active.avg.pct_of_peak_sustained_active";
inline constexpr const char *kIssueCounter = "smsp__issue_active.avg.pct_of_peak_sustained_active";
inline constexpr const char *kTensorCounter =
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";

struct RunFacts {
  std::string workload;
  double time_us = 0;
  bool estimated = false;  ///< by the CPU executor: nothing was measured
  bool counted = false;    ///< there are hardware counters
  std::map<std::string, double> counters;
  std::string note;            ///< why there are no counters
  std::string bound, parts;    ///< estimated: the largest part's name; "dram 412.0 us, issue 100.0 us"
  std::string roofline_class;  ///< empty: cannot be told
  double memory_share = 0,
         compute_share = 0;  ///< 0..1, of measured copy bandwidth and of the arithmetic peak
  double flop_share = 0;     ///< of float operations alone; 0: unknown
  double least_bytes = 0, copy_gbs = 0;
  int registers = 0, spill_bytes = 0, static_shared_bytes = 0;  ///< of the candidate; 0: unknown
  std::string slowest;                                          ///< the candidate's worst timed workload
  double slowest_speedup = 1;

  /// 0 when it was not counted.
  double counter(const std::string &name) const;
};

/// Of the timed workload that weighs most by the original's time; nothing when nothing was timed or
/// estimated.
std::optional<RunFacts> run_facts(const Verdict &verdict, bool of_candidate);

/// "name: value" lines of all that is known, for a model.
std::string figures_text(const RunFacts &facts);

}  // namespace cupilot
