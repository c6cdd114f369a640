// SPDX-License-Identifier: Apache-2.0
//
// The judge's answer about one candidate, with the evidence. A failed candidate is a value with a kind, not
// an error. Plain data; JSON form: verdict_json.h.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cupilot {

enum class VerdictKind {
  faster,
  slower,
  same,
  unsure,
  wrong,
  rejected,
  build_failed,
  crashed,
  timed_out,
  not_evaluated
};

/// Samples are microseconds. A dropped sample keeps its reason ("sm clock 61 % of the default").
struct SampleSet {
  struct Dropped {
    double time_us = 0;
    std::string reason;
  };
  std::vector<double> samples_us;
  std::vector<double> sm_clock_mhz;  ///< beside each sample; empty when not measured
  std::vector<Dropped> dropped;
  double min_us = 0, q1_us = 0, median_us = 0, q3_us = 0, mean_us = 0, stdev_us = 0;
};

/// Original and candidate on one workload, interleaved in one run.
struct Measurement {
  std::string workload;
  SampleSet original, candidate;
  VerdictKind verdict = VerdictKind::unsure;  ///< faster, slower, same or unsure
  /// Of the centres, and what the intervals leave open: original's low / candidate's high .. the reverse. See
  /// TimeInterval in evolution/judge/time/statistics.h.
  double speedup = 0;
  double speedup_low = 0, speedup_high = 0;
  double noise = 0;             ///< the original against itself in the same run, relative
  int launches = 1;             ///< back to back in one sample, whose time is that of one of them
  std::string note;             ///< why there is no answer, when there is none
  double weight = 1;            ///< Case::weight
  bool holdout = false;         ///< Case::holdout
  double bytes_moved = 0;       ///< least bytes: each input read once, each output written once
  double bandwidth_share = 0;   ///< bytes_moved / candidate median, over the measured copy bandwidth
  std::string stopped_because;  ///< "relative error 0.4 %", "time cap 2 s"
};

/// What the model of evolution/emulate/estimate says of all launches of one call.
struct EstimatedTime {
  double time_us = 0;
  std::string bound;                       ///< the largest part of the largest launch: "dram"
  std::map<std::string, double> parts_us;  ///< "issue", "lsu", "dram", ...: sums over the launches
  std::uint64_t launches = 0, blocks = 0, blocks_run = 0;  ///< blocks in all, executed for the estimate
};

/// Original and candidate on one workload without a GPU. Never a measurement, and nothing turns it into one:
/// it has its own member, JSON key, table and column.
struct Estimate {
  std::string workload;
  EstimatedTime original, candidate;
  VerdictKind verdict = VerdictKind::same;  ///< faster, slower; same within the model's own error
  bool tie = true;                          ///< the difference is within that error
  double ratio = 0;                         ///< original over candidate
  double weight = 1;                        ///< Case::weight
  bool holdout = false;                     ///< Case::holdout
};

/// Worst deviation of one output on one case, from the twin's output where there is a twin, else from the
/// original's.
struct OutputError {
  std::string case_id, family, parameter;
  double rms = 0, rms_limit = 0;    ///< relative to the expected output's root mean square
  double max = 0, max_limit = 0;    ///< relative to |expected| + its root mean square
  double own_rms = 0, own_max = 0;  ///< the original's own deviation from the twin; 0 without one
  std::size_t worst_index = 0;
  double expected = 0, got = 0;
};

struct BuildReport {
  double seconds = 0;
  int registers = 0;
  int spill_bytes = 0;
  int static_shared_bytes = 0;
  std::string log;  ///< the compiler's, when it said something
};

struct DeviceReport {
  std::string name, architecture;  ///< "NVIDIA H200", "sm_90"
  std::string driver, runtime;     ///< versions
  int multiprocessors = 0;
  std::size_t memory_bytes = 0, l2_bytes = 0;
  double copy_bandwidth_gbs = 0;  ///< measured in this run: bytes read + written, 1e9 per second
  double sm_clock_mhz = 0;        ///< the device's rated one
  bool emulated = false;          ///< the CPU executor stands in for it: nothing of it was measured
  std::string table;              ///< emulated: where the figures of its estimates come from
};

/// Roofline position digested from the counters; empty class when counters are not available.
struct Profile {
  std::string workload;
  std::map<std::string, double> counters;  ///< CUPTI metric name -> value
  std::string roofline_class;              ///< "memory-bound", "compute-bound", "latency-bound"
  double memory_share = 0,
         compute_share = 0;  ///< of the measured copy bandwidth, of the peak at the precision
  std::string note;          ///< why there are no counters, when there are none
};

/// One check of a finalist: "racecheck", "two streams", "graph capture", "20 repeats", "peak memory".
struct FinalistCheck {
  enum class Outcome { passed, failed, not_run };
  std::string name;
  Outcome outcome = Outcome::not_run;
  std::string detail;  ///< "bitwise equal"; why it failed; why it could not be run here
  double seconds = 0;
};

struct Verdict {
  std::string candidate;
  VerdictKind kind = VerdictKind::not_evaluated;
  std::string stage;   ///< "static", "build", "screen", "correct", "time", "estimate", "finalist"
  std::string reason;  ///< one or two sentences a role can act on
  BuildReport build;
  std::string oracle;               ///< "twin", or "original: <why there is no twin>"
  std::string precision;            ///< the clause it was judged under: "same", "tf32", "relaxed(0.01, 0)"
  std::string strict;               ///< why precision(same) would have refused it; empty: it would not have
  std::vector<OutputError> errors;  ///< the largest per output when correct, the offending ones when wrong
  std::vector<Measurement> measurements;
  std::vector<Estimate> estimates;  ///< of the CPU executor; then there are no measurements
  std::vector<Profile> original_profiles, profiles;
  DeviceReport device;
  std::vector<FinalistCheck> finalist;  ///< empty unless JudgeRequest::finalist
  /// Faster on these timed workloads and not on the others: the record's guard takes only these. Empty: all.
  std::vector<std::string> dispatch;
  std::uint64_t scratch_bytes = 0;     ///< the most one launch asked for
  std::uint64_t seed = 0, secret = 0;  ///< of JudgeRequest: repeat the judgement
  double verify_seconds = 0, time_seconds = 0, finalist_seconds = 0;
  std::vector<std::string> cases_passed;  ///< ids, the verified domain
  std::vector<std::string>
      limits;  ///< what was made smaller: "llama verified at rows=256 instead of ...", or declined
};

const char *to_string(VerdictKind);
/// Geometric mean over the timed workloads by their weights, of the program with the swap: where it is not
/// dispatched to the speed-up is 1. Without hold-outs. 0 when nothing was timed.
double overall_speedup(const Verdict &verdict);
/// The same of the estimates; 0 when nothing was estimated.
double overall_estimate(const Verdict &verdict);

}  // namespace cupilot
