// SPDX-License-Identifier: Apache-2.0
//
// A bundle is a folder that carries candidates of one kernel to a device and verdicts back. It is
// self-contained and can be copied.
//
//   bundle.json                     struct Bundle as JSON: `{"cupilot_bundle":1,...}`
//   include/cupilot/launch.cuh      included by the candidates' files
//   original/entry.cu               the slice, and an entry that launches the original kernel
//   twin/entry.cu                   the slice promoted to double; only if Bundle::twin_missing is empty
//   candidates/<id>/entry.cu        the slice, the variant, and an entry that calls its launch()
//   candidates/<id>/variant.cuh
//   candidates/<id>/verdict.json    written atomically by the worker; a candidate that has one is skipped
//
// Every entry.cu exports one function with C linkage:
//   int cupilot_entry(const CupilotCall *call);
//   struct CupilotCall {
//     unsigned grid[3], block[3];
//     unsigned long long shared_bytes;
//     void *stream;
//     void **args;                       // one pointer per kernel parameter, as for cudaLaunchKernel
//     unsigned long long scratch_bytes;  // set by the entry
//   };
// It returns 0 if it launched, 1 if the variant's own test declined, else a cudaError_t. The worker compiles
// the file to entry.so:  nvcc -shared -Xcompiler -fPIC -arch <arch> <flags> entry.cu

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::model {

/// One buffer argument of a case.
struct CaseBuffer {
  std::string parameter;
  spec::BufferRole role = spec::BufferRole::in;
  std::uint64_t elements = 0;
  spec::Fill fill;
  bool refilled = false;  ///< an accumulator of zeros that holds other numbers in this case
  /// Set for an input that is the same buffer as this parameter's. An inout buffer holds the same data, and
  /// is the same buffer where outputs are in the memory of inputs.
  std::string same_as;
  /// With same_as: an input that begins this many elements after the start of the other, and overlaps it.
  std::uint64_t begins = 0;
  bool finite =
      false;  ///< promised by assume(finite(x)) or assume(range(x, ...)): no NaN or infinity is drawn
  std::vector<double> range;  ///< promised by assume(range(x, low, high)): low and high; empty: no range
};
/// A workload, or a neighbour of one, with every expression evaluated.
struct Case {
  std::string id;        ///< "llama", "llama/rows-1"
  std::string workload;  ///< the workload it comes from
  bool timed = false;    ///< true only for a workload itself that is not a `check` workload
  double weight = 1;     ///< Workload::weight
  bool holdout = false;  ///< Workload::holdout: the case is only in a finalist's bundle
  std::map<std::string, std::variant<std::int64_t, double>> scalars;  ///< one per scalar kernel parameter
  std::vector<CaseBuffer> buffers;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  /// Input families to verify with; see evolution/judge/data/input_family.h.
  std::vector<std::string> families;
  /// False: the case is too large to be executed completely on the CPU, so it is only estimated.
  bool verified = true;
  /// A size drawn at random, two inputs that are one, other content of an accumulator: it runs once, at the
  /// usual addresses, since other cases have the variety.
  bool once = false;
  std::string shrunk;  ///< set for a smaller stand-in: "rows=1024 cols=256 instead of rows=8192 cols=4096"
};

struct BundleCandidate {
  std::string id;
};

struct JudgeRequest {
  bool time = true;
  bool profile = false;
  /// Runs the last stage too: sanitizers, streams, graph capture, repeats, hold-outs.
  bool finalist = false;
  /// Runs the sanitizers, where they are available, on the original before any candidate; once per kernel.
  bool check_original = false;
  /// The most scratch memory that a finalist's launch may use, relative to the size of all buffers of the
  /// workload together.
  double most_scratch = 1;
  std::uint64_t seed = 0;
  /// A random number drawn when the bundle is written and mixed into every seed, so the author of a variant
  /// cannot predict the data. It is kept in verdict and record, so that a judgement can be repeated.
  std::uint64_t secret = 0;
  double build_seconds = 120, run_seconds = 60;  ///< limits per candidate
  double timing_seconds = 2;                     ///< limit for the timing of one workload
  double relative_error = 0.005;  ///< timing stops when the relative standard error is below this
};

struct Bundle {
  std::string id;      ///< names the kernel and the round; unique within a search run
  std::string kernel;  ///< KernelSpec::name
  std::string kernel_id;
  std::string architecture;  ///< "sm_90"
  /// nvcc options from the user's command; include paths are inside the bundle or the toolkit.
  std::vector<std::string> flags;
  std::vector<spec::Parameter> parameters;
  spec::Precision precision;
  bool deterministic = false;  ///< KernelSpec::deterministic
  std::string twin_missing;    ///< why there is no twin/entry.cu; empty: there is one
  /// Checks that the original fails and that the developer has declared harmless, for example "shared-race".
  std::vector<std::string> waived;
  std::vector<Case> cases;
  /// Further cases, made of constants in the candidates' texts. A candidate is judged on some of them when
  /// the others leave code of it unexecuted.
  std::vector<Case> reserve;
  /// The kernel's parameters, assumptions and workloads, without its texts: other cases follow from them.
  spec::KernelSpec spec{};
  std::vector<BundleCandidate> candidates;
  JudgeRequest request;
};

}  // namespace cupilot::model
