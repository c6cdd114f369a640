// SPDX-License-Identifier: Apache-2.0
//
// cupilot-emulate as a child process, over bundles with a row_norm of the test's own.

#pragma once

#include <string>
#include <vector>

#include "annotate/support/process.h"
#include "evolution/model/verdict.h"
#include "row_norm_bundle.h"

namespace cupilot {

Result<ProcessResult> run_emulate(const std::vector<std::string> &words);

/// How a variant's launch() begins, and an original, with `i` the thread's number.
inline const std::string kLaunchSignature =
    "bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {\n";
inline const std::string kKernelHead =
    "__global__ void row_norm(const float *x, const float *w, float *y, int rows, int cols) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n";

/// Launches the original.
HandCandidate same_candidate();

struct Outcome {
  ProcessResult end;
  std::vector<Verdict> verdicts;  ///< of the candidates, as far as there are any
  std::string reason() const { return verdicts.empty() ? "" : verdicts[0].reason; }
};
struct OriginalRun {
  std::string verb = "judge";
  std::string original;  ///< text of the kernel; empty: the usual one
  Case which;
  std::vector<HandCandidate> candidates{};
  std::vector<std::string> waived{};
  bool deterministic = false;
};
/// A bundle of one case with that original.
Outcome run_original(const OriginalRun &run);

}  // namespace cupilot
