// SPDX-License-Identifier: Apache-2.0
//
// A bundle: a folder that carries candidates of one kernel to a GPU and verdicts back. Self-contained, safe
// to copy.
//
//   bundle.json                     this, `{"cupilot_bundle":1,...}`
//   include/cupilot/launch.cuh      what candidate files include
//   original/entry.cu               the slice and an entry that launches the original kernel
//   twin/entry.cu                   the original's slice promoted to double; only when Bundle::twin_missing
//   is empty candidates/<id>/entry.cu        the slice, the variant and an entry that calls its launch()
//   candidates/<id>/variant.cuh
//   candidates/<id>/verdict.json    written by the worker, atomically; present = done, skipped on the next
//   run
//
// Every entry.cu exports, with C linkage:
//   int cupilot_entry(const CupilotCall *call);
//     struct CupilotCall { unsigned grid[3], block[3]; unsigned long long shared_bytes; void *stream; void
//     **args; unsigned long long scratch_bytes /*out*/; }; returns 0 launched, 1 declined (the variant's own
//     test said no), else a cudaError_t.
// `args` holds one pointer per kernel parameter, as cudaLaunchKernel takes them.
// It is compiled to entry.so by the worker:  nvcc -shared -Xcompiler -fPIC -arch <arch> <flags> entry.cu

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

/// One concrete set of argument values: a workload, or a neighbour of one. Everything is evaluated.
struct CaseBuffer {
  std::string parameter;
  BufferRole role = BufferRole::in;
  std::uint64_t elements = 0;
  Fill fill;
};
struct Case {
  std::string id;        ///< "llama", "llama/rows-1"
  std::string workload;  ///< the workload it comes from
  bool timed = false;    ///< only a workload itself, and not a `check` one
  double weight = 1;     ///< Workload::weight
  bool holdout = false;  ///< Workload::holdout: only in a finalist's bundle
  std::map<std::string, std::variant<std::int64_t, double>> scalars;  ///< one per scalar kernel parameter
  std::vector<CaseBuffer> buffers;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::vector<std::string> families;  ///< input families to verify with; see evolution/device
  /// False: too large to be executed whole on the CPU; it is only estimated.
  bool verified = true;
  std::string shrunk;  ///< of a smaller stand-in: "rows=1024 cols=256 instead of rows=8192 cols=4096"
};

struct BundleCandidate {
  std::string id;
};

struct JudgeRequest {
  bool time = true;
  bool profile = false;
  /// The last stage too: sanitizers, streams, graph capture, repeats, hold-outs.
  bool finalist = false;
  /// Sanitizers on the original, where they can run, before any candidate: once for each kernel.
  bool check_original = false;
  /// Scratch memory a finalist's launch may take, of what all buffers of the workload take together.
  double most_scratch = 1;
  std::uint64_t seed = 0;
  /// Drawn when the bundle was written and mixed into every seed: who wrote the variant cannot know the data.
  /// Kept in verdict and record, so that a judgement can be repeated.
  std::uint64_t secret = 0;
  double build_seconds = 120, run_seconds = 60;  ///< limits per candidate
  double timing_seconds = 2;                     ///< cap of one workload's timing
  double relative_error = 0.005;                 ///< timing stops when the mean is known this well
};

struct Bundle {
  std::string id;      ///< names the kernel and the round; unique in a run
  std::string kernel;  ///< KernelSpec::name
  std::string kernel_id;
  std::string architecture;  ///< "sm_90"
  std::vector<std::string>
      flags;  ///< nvcc options from the user's command; include paths are inside the bundle or the toolkit
  std::vector<Parameter> parameters;
  Precision precision;
  bool deterministic = false;  ///< KernelSpec::deterministic
  std::string twin_missing;    ///< why there is no twin/entry.cu; empty: there is one
  /// Checks of the original's that the developer vouches for: "shared-race" is benign, say.
  std::vector<std::string> waived;
  std::vector<Case> cases;
  std::vector<BundleCandidate> candidates;
  JudgeRequest request;
};

}  // namespace cupilot
