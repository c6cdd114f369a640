// SPDX-License-Identifier: Apache-2.0
//
// Finds this machine's compilers and GPU. Records name them, and errors say clearly when there is none.

#pragma once

#include <filesystem>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::judge::tools {

struct Toolchain {
  std::filesystem::path nvcc;
  std::string nvcc_version;  ///< "13.0.88"
  std::string host;          ///< "g++ 12.2.0"
  /// As written into records: "nvcc 13.0.88, g++ 12.2.0".
  std::string describe() const;
};

/// Takes the user's own nvcc when the command names one; else looks in CUDACXX, PATH, CUDA_HOME, CUDA_PATH,
/// /usr/local/cuda.
Result<Toolchain> find_toolchain(const spec::CompileCommand &command);

/// Asks nvidia-smi for the architecture of this machine's first GPU: "sm_90". The error says that there is
/// none and what to do.
Result<std::string> local_architecture();

}  // namespace cupilot::judge::tools
