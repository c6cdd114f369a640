// SPDX-License-Identifier: Apache-2.0
//
// The judge's answer about one candidate, with the evidence. A candidate that fails gets a verdict of the
// matching kind; it is not an error of the program. Plain data; the JSON form is in verdict_json.h.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cupilot::model {

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

/// Timing samples in microseconds. A dropped sample is kept with its reason ("sm clock 61 % of the default").
struct SampleSet {
  struct Dropped {
    double time_us = 0;
    std::string reason;
  };
  std::vector<double> samples_us;
  std::vector<double> sm_clock_mhz;  ///< one for each sample; empty when not measured
  std::vector<Dropped> dropped;
  double min_us = 0, q1_us = 0, median_us = 0, q3_us = 0, mean_us = 0, stdev_us = 0;
};

/// Timing of original and candidate on one workload, with interleaved launches in one run.
struct Measurement {
  std::string workload;
  SampleSet original, candidate;
  VerdictKind verdict = VerdictKind::unsure;  ///< faster, slower, same or unsure
  /// Ratio of the interval centres, original over candidate. The bounds are original low / candidate high and
  /// original high / candidate low; see TimeInterval in evolution/judge/time/statistics.h.
  double speedup = 0;
  double speedup_low = 0, speedup_high = 0;
  double noise = 0;             ///< relative difference of the original to itself within the run
  int launches = 1;             ///< back-to-back launches per sample; a sample is the time of one
  std::string note;             ///< why there is no answer; empty if there is one
  double weight = 1;            ///< Case::weight
  bool holdout = false;         ///< Case::holdout
  double bytes_moved = 0;       ///< minimum traffic: what is needed of each input and output, once
  double bandwidth_share = 0;   ///< (bytes_moved / candidate median) / measured copy bandwidth
  std::string stopped_because;  ///< "relative error 0.4 %", "time cap 2 s"
};

/// The time that the performance model in evolution/emulate/estimate predicts for all launches of one call.
struct EstimatedTime {
  double time_us = 0;
  std::string bound;                       ///< the largest part of the longest launch: "dram"
  std::map<std::string, double> parts_us;  ///< "issue", "lsu", "dram", ...: sums over the launches
  std::uint64_t launches = 0, blocks = 0, blocks_run = 0;  ///< thread blocks: all, and those executed
};

/// Estimated times of original and candidate on one workload, made without a GPU. An estimate never becomes a
/// measurement: it has its own member, JSON key, table and column.
struct Estimate {
  std::string workload;
  EstimatedTime original, candidate;
  VerdictKind verdict = VerdictKind::same;  ///< faster, slower, or same if within the model's error
  bool tie = true;                          ///< the difference is within the model's error
  double ratio = 0;                         ///< original over candidate
  double weight = 1;                        ///< Case::weight
  bool holdout = false;                     ///< Case::holdout
  /// Of a workload too large to be executed whole: elements that blocks of both wrote at its own size and
  /// that were compared, and why that does not vouch for the size (empty: it does, or the workload ran
  /// whole).
  std::uint64_t compared = 0;
  std::string open;
};

/// Largest deviation of one output on one case. It is measured against the output of the twin if there is
/// one, else against that of the original.
struct OutputError {
  std::string case_id, family, parameter;
  double rms = 0, rms_limit = 0;    ///< relative to the expected output's root mean square
  double max = 0, max_limit = 0;    ///< relative to |expected| + its root mean square
  double own_rms = 0, own_max = 0;  ///< the original's own deviation from the twin; 0 without a twin
  std::size_t worst_index = 0;
  double expected = 0, got = 0;
};

struct BuildReport {
  double seconds = 0;
  int registers = 0;
  int spill_bytes = 0;
  int static_shared_bytes = 0;
  std::string log;  ///< output of the compiler; may be empty
};

struct DeviceReport {
  std::string name, architecture;  ///< "NVIDIA H200", "sm_90"
  std::string driver, runtime;     ///< versions
  int multiprocessors = 0;
  std::size_t memory_bytes = 0, l2_bytes = 0;
  double copy_bandwidth_gbs = 0;  ///< measured in this run: bytes read plus written, in 1e9 bytes/s
  double sm_clock_mhz = 0;        ///< rated clock of the device
  bool emulated = false;          ///< the device is emulated on the CPU; nothing was measured on it
  std::string table;              ///< if emulated: source of the device parameters used for estimates
  std::string bus_id;             ///< PCI bus id, "0000:01:00.0"; empty if emulated
};

/// Roofline position derived from hardware counters. The class is empty when there are no counters.
struct Profile {
  std::string workload;
  std::map<std::string, double> counters;  ///< CUPTI metric name -> value
  std::string roofline_class;              ///< "memory-bound", "compute-bound", "latency-bound"
  /// Shares of the measured copy bandwidth, and of the arithmetic peak at the precision.
  double memory_share = 0, compute_share = 0;
  std::string note;  ///< why there are no counters, if so
};

/// One check of a finalist: "racecheck", "two streams", "graph capture", "20 repeats", "peak memory".
struct FinalistCheck {
  enum class Outcome { passed, failed, not_run };
  std::string name;
  Outcome outcome = Outcome::not_run;
  std::string detail;  ///< "bitwise equal", or why the check failed or could not run
  double seconds = 0;
};

/// How much of a variant's text the compared runs executed, and which conditions they saw both ways.
struct CoverageSummary {
  std::size_t lines = 0, lines_covered = 0, conditions = 0, conditions_covered = 0;
  std::size_t made_cases = 0;          ///< cases made for what the others left uncovered, and judged
  std::vector<std::string> uncovered;  ///< "variant.cuh:12: never executed"; the first ones
  std::vector<std::string> unknown;    ///< why a side is not known: "device: ..."
};

struct Verdict {
  std::string candidate;
  VerdictKind kind = VerdictKind::not_evaluated;
  std::string stage;   ///< "static", "build", "screen", "correct", "coverage", "time", "estimate", "finalist"
  std::string reason;  ///< one or two sentences that a role can act on
  BuildReport build;
  std::string oracle;               ///< "twin", or "original: <why there is no twin>"
  std::string precision;            ///< the precision clause applied: "same", "tf32", "relaxed(0.01, 0)"
  std::string strict;               ///< why precision(same) would have rejected it; empty: it would not
  std::vector<OutputError> errors;  ///< if correct the largest per output, if wrong those beyond the limits
  std::vector<Measurement> measurements;
  std::vector<Estimate> estimates;  ///< from the CPU executor; then there are no measurements
  std::vector<Profile> original_profiles, profiles;
  DeviceReport device;
  std::vector<FinalistCheck> finalist;  ///< empty unless JudgeRequest::finalist
  /// The timed workloads on which the candidate is faster, if it is not faster on all: the record's guard
  /// admits only these. Empty: no restriction.
  std::vector<std::string> dispatch;
  std::uint64_t scratch_bytes = 0;     ///< the most that one launch requested
  std::uint64_t seed = 0, secret = 0;  ///< from JudgeRequest; they repeat the judgement
  double verify_seconds = 0, time_seconds = 0, finalist_seconds = 0;
  std::vector<std::string> cases_passed;  ///< case ids; together the verified domain
  /// Restrictions of the verification: cases that were made smaller ("llama verified at rows=256 instead
  /// of ...") or that the variant declined.
  std::vector<std::string> limits;
  CoverageSummary coverage;  ///< empty when the candidate did not come so far
};

const char *to_string(VerdictKind);
/// Weighted geometric mean of the speed-ups over the timed workloads, without hold-outs. Workloads on which
/// the variant would not be dispatched count as 1. The result is 0 when nothing was timed.
double overall_speedup(const Verdict &verdict);
/// The same mean for estimates; 0 when nothing was estimated.
double overall_estimate(const Verdict &verdict);

}  // namespace cupilot::model
