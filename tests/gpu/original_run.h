// SPDX-License-Identifier: Apache-2.0
//
// A worker as a child process over a bundle with an original of the test's own: on the GPU and on the CPU
// executor alike.

#pragma once

#include <string>
#include <vector>

#include "annotate/support/process.h"
#include "evolution/model/verdict.h"
#include "row_norm_bundle.h"

namespace cupilot {
using namespace model;

/// `words`: program and arguments.
Result<ProcessResult> run_words(const std::vector<std::string> &words);

/// How an original begins, with `i` the thread's number.
inline const std::string kKernelHead =
    "__global__ void row_norm(const float *x, const float *w, float *y, int rows, int cols) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n";

/// An original that does this for every element k.
std::string every(const std::string &statement);
/// One whose rows are w times the largest number of x.
std::string maximum_original();

/// A kernel that does the same: a copy of it under another name, as a variant must have kernels of its own.
HandCandidate same_candidate(const std::string &original);
/// For maximum_original(): right wherever the maximum is not among the elements k that break the condition.
HandCandidate skipping(const std::string &id, const std::string &condition);
/// Clears the output before it does the same; `test` stands before that.
HandCandidate clearing(const std::string &id, const std::string &test, const std::string &original);

struct Outcome {
  ProcessResult end;
  std::vector<Verdict> verdicts;  ///< of the candidates, as far as there are any
  std::string reason() const { return verdicts.empty() ? "" : verdicts[0].reason; }
};
struct OriginalRun {
  std::vector<std::string> program;  ///< the bundle's folder is the last word
  std::string architecture = "sm_90";
  std::string original;  ///< text of the kernel; empty: the usual one
  Case which;
  std::vector<Case> further{};
  std::vector<HandCandidate> candidates{};
  std::vector<std::string> waived{};
  bool deterministic = false;
};
/// A bundle of these cases with that original; nothing is timed.
Outcome run_original(const OriginalRun &run);

}  // namespace cupilot
