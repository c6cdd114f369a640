// SPDX-License-Identifier: Apache-2.0
//
// Judges a bundle from start to end: builds run in parallel with judging, each candidate gets a verdict file,
// and events are emitted as they happen.

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/engine/engine.h"

namespace cupilot::judge::engine {

struct WorkerOptions {
  std::filesystem::path bundle;
  unsigned jobs = 0;              ///< parallel builds; 0: one less than the machine has cores
  std::vector<std::string> only;  ///< candidates; empty: all
};

/// `emit` gets one event line at a time. An error means that not every candidate has a verdict.
Result<> run_worker(const Engine &engine, const WorkerOptions &options,
                    const std::function<void(const std::string &)> &emit);

}  // namespace cupilot::judge::engine
