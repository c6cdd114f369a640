// SPDX-License-Identifier: Apache-2.0
//
// What this machine can build with and run on, for records and for clear "there is none" errors.

#pragma once

#include <filesystem>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot {

struct Toolchain {
  std::filesystem::path nvcc;
  std::string nvcc_version;  ///< "13.0.88"
  std::string host;          ///< "g++ 12.2.0"
  /// As records carry it: "nvcc 13.0.88, g++ 12.2.0".
  std::string describe() const;
};

/// The user's own nvcc when the command names one, else CUDACXX, PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda.
Result<Toolchain> find_toolchain(const CompileCommand &command);

/// "sm_90" of the first GPU here: asks nvidia-smi. An error says that there is none and what to do.
Result<std::string> local_architecture();

}  // namespace cupilot
