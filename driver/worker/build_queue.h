// SPDX-License-Identifier: Apache-2.0
//
// Builds candidates on several threads and hands them out as they are done, earliest candidate first.

#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "driver/worker/build.h"

namespace cupilot {

struct FinishedBuild {
  std::string candidate;
  Result<Built> built;
};

class BuildQueue {
public:
  BuildQueue(const Bundle &bundle, std::filesystem::path bundle_folder, std::vector<std::string> candidates,
             std::set<std::string> ignored_symbols, unsigned threads);
  ~BuildQueue();  ///< waits for builds that have begun
  BuildQueue(const BuildQueue &) = delete;
  BuildQueue &operator=(const BuildQueue &) = delete;

  /// The next finished build, waiting for one; nullopt when all have been handed out.
  std::optional<FinishedBuild> next();
  /// Whether next() will give another one.
  bool more();

private:
  void build_some();

  const Bundle &bundle_;
  const std::filesystem::path folder_;
  const std::vector<std::string> candidates_;
  const std::set<std::string> ignored_symbols_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t begun_ = 0, handed_out_ = 0;
  bool stopped_ = false;
  std::vector<std::pair<std::size_t, Result<Built>>> finished_;
  std::vector<std::jthread> threads_;
};

}  // namespace cupilot
