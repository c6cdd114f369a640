// SPDX-License-Identifier: Apache-2.0
//
// What a program brings to the engine of this folder: cupilot-worker the GPU, cupilot-emulate the emulated
// device. Everything else (builds, children, comparison, verdict files, lines) is the same code.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/session.h"

namespace cupilot {

struct Engine {
  std::string program;  ///< "cupilot-worker"
  /// nvcc's options that decide what is in entry.so, for one architecture.
  std::function<std::vector<std::string>(const std::string &architecture)> build_options;
  /// In a child process: the device, as one of that architecture where it has the choice.
  std::function<Result<std::unique_ptr<DeviceSession>>(const std::string &architecture)> open;
  /// The device only executes: what comes after correctness is an estimate, never a measurement.
  bool estimates = false;
};

/// A worker's command line, without the words that `engine.program` takes for itself. The exit code.
int run_worker_program(const Engine &engine, int argc, char **argv, const char *help);

}  // namespace cupilot
