// SPDX-License-Identifier: Apache-2.0
//
// Builds the original, its twin and the candidates on several threads, in that order. Candidates are handed
// out as their builds finish; of several finished builds the first in the bundle's order comes first.

#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "evolution/judge/tools/build.h"

namespace cupilot::judge::tools {

struct FinishedBuild {
  std::string candidate;
  Result<Built> built;
};

class BuildQueue {
public:
  BuildQueue(Recipe recipe, std::vector<std::string> candidates, unsigned threads);
  ~BuildQueue();  ///< waits for builds that have begun
  BuildQueue(const BuildQueue &) = delete;
  BuildQueue &operator=(const BuildQueue &) = delete;

  /// Waits until the original is built.
  const Result<Built> &original();
  /// Waits until the twin is built; null when the bundle has none.
  const Result<Built> *twin();
  /// Waits for the next finished build; nullopt when all have been handed out.
  std::optional<FinishedBuild> next();
  /// How many builds next() has still to return.
  std::size_t left();

private:
  void build_some();
  void build_into(std::optional<Result<Built>> &place, const Recipe &recipe, const char *folder,
                  std::unique_lock<std::mutex> &lock);

  const Recipe recipe_;
  const std::vector<std::string> candidates_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t begun_ = 0, handed_out_ = 0;
  const bool has_twin_;
  bool original_begun_ = false, twin_begun_ = false, stopped_ = false;
  std::optional<Result<Built>> original_, twin_;
  std::vector<std::pair<std::size_t, Result<Built>>> finished_;
  std::vector<std::jthread> threads_;
};

}  // namespace cupilot::judge::tools
