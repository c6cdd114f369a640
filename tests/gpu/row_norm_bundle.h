// SPDX-License-Identifier: Apache-2.0
//
// A bundle written by hand around one kernel (a row-wise normalisation), with candidates that are good, slow
// or bad in one way each. Used by the tests that need a GPU.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot {
using namespace model;

/// Seconds of a run on the CPU executor. What is endless there is ended by a count of its instructions, so
/// this only has to be longer than a busy machine takes.
inline constexpr double kPatience = 600;

struct HandCandidate {
  std::string id;
  std::string variant;  ///< kernels and launch(); see row_norm_bundle.cpp for what stands before it
};

/// How a variant's launch() begins, and its rest where rows_kernel does all.
inline const std::string kLaunchSignature =
    "bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {\n";
inline const std::string kLaunchRows =
    "  rows_kernel<<<rows, 256, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n";

/// "sm_90": of this machine's first GPU, as nvidia-smi says.
std::string gpu_architecture();

/// A case of the kernel; `families` empty: all.
Case row_norm_case(const std::string &id, const std::string &workload, long long rows, long long cols,
                   bool timed, std::vector<std::string> families = {});

/// The timed workload (8192 x 4096), a small one, and neighbours of both.
std::vector<Case> row_norm_cases();

/// Without cases and candidates.
Bundle row_norm_bundle(const std::string &id, const std::string &architecture);

/// Writes folder; `original_body` empty: the usual original.
Result<> write_row_norm_bundle(const std::filesystem::path &folder, Bundle bundle,
                               const std::vector<HandCandidate> &candidates,
                               const std::string &original_body = "");

}  // namespace cupilot
