// SPDX-License-Identifier: Apache-2.0
//
// Where bundles run. An executor turns a bundle folder into verdicts and tells of progress on the way;
// verdict files in the folder are the truth, so a killed run goes on where it was.

#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot {

/// Called from judge(), in its thread. `verdict` comes once a candidate, also for verdicts found already
/// there.
class JudgeEvents {
public:
  virtual ~JudgeEvents() = default;
  virtual void device(const DeviceReport &) {}
  virtual void built(const std::string & /*candidate*/, double /*seconds*/) {}
  virtual void verdict(const Verdict &) {}
  virtual void error(const std::string & /*message*/) {}
  /// FolderExecutor: what somebody has to do elsewhere, one line for people.
  virtual void waiting(const std::string & /*message*/) {}
};

/// Set by a signal handler or another thread; judge() returns soon after.
using StopFlag = std::atomic<bool>;

class Executor {
public:
  virtual ~Executor() = default;
  /// Verdicts in the order of the bundle's candidates. After a stop those that are there, the others are
  /// missing. An error: nothing of this bundle can be judged here (no GPU, the original fails, no worker).
  virtual Result<std::vector<Verdict>> judge(const std::filesystem::path &bundle, JudgeEvents &events) = 0;
};

struct LocalOptions {
  std::filesystem::path worker;    ///< the program
  std::vector<std::string> words;  ///< of its own, before the bundle: {"judge"} for cupilot-emulate
  int jobs = 0;                    ///< parallel builds; 0: the worker decides
  const StopFlag *stop = nullptr;
  /// A worker silent for this long is ended; default: what the bundle's own limits allow.
  std::optional<std::chrono::milliseconds> silence_limit;
};

/// cupilot-worker as a child process. When it dies, verdicts already written count, the other candidates are
/// tried once more, one at a time, and are then `not_evaluated`.
class LocalExecutor : public Executor {
public:
  explicit LocalExecutor(LocalOptions options) : options_(std::move(options)) {}
  Result<std::vector<Verdict>> judge(const std::filesystem::path &bundle, JudgeEvents &events) override;

private:
  LocalOptions options_;
};

struct FolderOptions {
  std::filesystem::path folder;  ///< the bundle is put into folder/<bundle id>-<hash>
  std::chrono::milliseconds poll_interval{1000};
  std::optional<std::chrono::milliseconds> time_limit;  ///< then the rest is `not_evaluated`
  const StopFlag *stop = nullptr;
};

/// For machines one cannot reach: puts a copy of the bundle into a folder and waits for verdict files there.
class FolderExecutor : public Executor {
public:
  explicit FolderExecutor(FolderOptions options) : options_(std::move(options)) {}
  Result<std::vector<Verdict>> judge(const std::filesystem::path &bundle, JudgeEvents &events) override;

private:
  FolderOptions options_;
};

}  // namespace cupilot
