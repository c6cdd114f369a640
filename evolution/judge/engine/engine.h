// SPDX-License-Identifier: Apache-2.0
//
// What a program supplies to the engine of this folder: cupilot-worker supplies the GPU, cupilot-emulate the
// emulated device. Everything else (builds, child processes, comparison, verdict files, output lines) is
// shared code.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::judge::engine {

struct Engine {
  std::string program;  ///< "cupilot-worker"
  /// nvcc options that select which device code entry.so contains, for one architecture.
  std::function<std::vector<std::string>(const std::string &architecture)> build_options;
  /// Opens the device; called in a child process. The emulated device takes on that architecture, a GPU has
  /// its own.
  std::function<Result<std::unique_ptr<launches::DeviceSession>>(const std::string &architecture)> open;
  /// The device cannot measure time: stage "correct" is followed by an estimate, never by a measurement.
  bool estimates = false;
  std::filesystem::path executable{};  ///< of the children; empty: this program
  /// A program with the emulated device (cupilot-emulate). It tells which code of a finalist runs, where this
  /// device cannot. Empty: there is none.
  std::filesystem::path beside{};
};

/// Runs a worker's command line, without the words that the program handles itself. Returns the exit code.
int run_worker_program(const Engine &engine, int argc, char **argv, const char *help);

}  // namespace cupilot::judge::engine
