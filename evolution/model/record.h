// SPDX-License-Identifier: Apache-2.0
//
// A record is a published winner with its evidence: `tuned/<kernel name>/<arch>/{variant.cuh,record.json}`.
// It is meant to be reviewed, so it is text in a stable order and holds statistics instead of samples. The
// launcher reads `kernel`, `arch`, `fingerprints`, `guard` and `variant_sha256` with its own small parser in
// driver/launcher.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/verdict.h"

namespace cupilot::model {

/// Lowest and highest value of each integer parameter, both included.
using Box = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

/// When the variant may run. The device must also have the compute capability of `arch`, and the variant's
/// launch(...) must accept the launch.
struct Guard {
  /// Assumption::expression: all of them must hold.
  std::vector<std::string> assumptions;
  /// Those about data, like finite(x): what the developer promises. No launch is tested for them.
  std::vector<std::string> promises;
  /// Per-workload dispatch: one box of parameter values for each workload on which the variant is faster. A
  /// launch must lie in one of the boxes. If there are none, `domain` alone decides.
  std::vector<Box> boxes;
  /// The smallest and largest verified value of each integer kernel parameter, both inclusive.
  Box domain;
  /// Where one workload is the largest along one axis and another one along another, nobody has verified the
  /// corner of the domain that is large along both. A launch must then lie in one of these boxes: up to the
  /// largest values of one workload. If there are none, `domain` says it all.
  std::vector<Box> verified{};
  /// The launch configuration of the workloads, as expressions over the kernel's parameters. The strings are
  /// empty when it cannot be expressed this way; then `configurations` lists the verified configurations.
  spec::LaunchShape launch;
  std::vector<std::array<std::uint64_t, 7>> configurations;  ///< grid x y z, block x y z, shared bytes
};

struct RecordMeasurement {
  std::string workload;
  double original_us = 0, tuned_us = 0;  ///< medians
  double speedup = 0, speedup_low = 0, speedup_high = 0;
  double original_min_us = 0, original_q3_us = 0, tuned_min_us = 0, tuned_q3_us = 0;
  double copy_bandwidth_share = 0;
  std::size_t samples = 0;
  std::string verdict;
  double weight = 1;
  bool holdout = false;
};

/// One workload of a record that was made from estimates. Such a record has no measurements.
struct RecordEstimate {
  std::string workload;
  double original_us = 0, tuned_us = 0, ratio = 0;
  std::string verdict, bound;
  std::uint64_t blocks = 0, blocks_run = 0;
};

struct Record {
  bool estimate = false;    ///< made from estimates; the launcher uses it only if the project asks for it
  std::string arch;         ///< "sm_90"
  spec::KernelSpec kernel;  ///< name, qualified_name, instantiation, namespaces, parameters, place; no slice
  std::string kernel_id, workload_id;
  std::vector<spec::Fingerprint> fingerprints;  ///< one per translation unit seen with this kernel_id
  Guard guard;
  std::string variant_sha256;
  std::string verdict;
  std::vector<RecordMeasurement> measurements;
  std::vector<RecordEstimate> estimates;
  std::vector<std::string> limits;  ///< Verdict::limits
  std::string oracle;               ///< Verdict::oracle
  std::vector<OutputError> errors;
  std::vector<FinalistCheck> finalist;
  std::uint64_t scratch_bytes = 0;
  std::map<std::string, double> counters_original, counters_tuned;
  DeviceReport device;
  std::string toolchain;  ///< "nvcc 13.0.88, g++ 13.3.0"
  std::vector<std::string> flags;
  std::uint64_t seed = 0;                     ///< seed of the search
  std::uint64_t judged_seed = 0, secret = 0;  ///< seed and secret of the judgement; they reproduce its data
  std::vector<std::string> waived;            ///< Bundle::waived
  std::string policy, provider, model;
  std::vector<std::string> strategies;
  std::map<std::string, long long> knobs;
  double cost_usd = 0;   ///< cost of all model calls of the search; 0 if the price was unknown
  long long tokens = 0;  ///< input and output tokens
  std::string command;   ///< the command line that repeats the search
  std::string created;   ///< ISO 8601, UTC
};

}  // namespace cupilot::model
