// SPDX-License-Identifier: Apache-2.0
//
// Executors run bundles: they turn a bundle folder into verdicts and report progress. The verdict files in
// the folder are the only state that counts, so a killed run continues where it was.

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

namespace cupilot::judge::bundle {

/// Callbacks, made by judge() in its own thread. `verdict` is called once for each candidate, also for
/// verdicts that were already in the folder.
class JudgeEvents {
public:
  virtual ~JudgeEvents() = default;
  virtual void device(const model::DeviceReport &) {}
  virtual void built(const std::string & /*candidate*/, double /*seconds*/) {}
  virtual void verdict(const model::Verdict &) {}
  virtual void error(const std::string & /*message*/) {}
  /// FolderExecutor only: one line that tells a person what to do on the other machine.
  virtual void waiting(const std::string & /*message*/) {}
};

/// Set by a signal handler or another thread; judge() returns soon afterwards.
using StopFlag = std::atomic<bool>;

class Executor {
public:
  virtual ~Executor() = default;
  /// Returns verdicts in the order of the bundle's candidates; after a stop only those that exist by then. It
  /// is an error if nothing of this bundle can be judged here (no GPU, the original fails, no worker).
  virtual Result<std::vector<model::Verdict>> judge(const std::filesystem::path &bundle,
                                                    JudgeEvents &events) = 0;
};

struct LocalOptions {
  std::filesystem::path worker;    ///< the program
  std::vector<std::string> words;  ///< its arguments before the bundle: {"judge"} for cupilot-emulate
  int jobs = 0;                    ///< parallel builds; 0: the worker decides
  const StopFlag *stop = nullptr;
  /// A worker that prints nothing for this long is killed. Default: derived from the bundle's limits.
  std::optional<std::chrono::milliseconds> silence_limit;
};

/// Runs cupilot-worker as a child process. If it dies, verdicts already written count. The other candidates
/// are tried once more, one at a time; those that fail again are `not_evaluated`.
class LocalExecutor : public Executor {
public:
  explicit LocalExecutor(LocalOptions options) : options_(std::move(options)) {}
  Result<std::vector<model::Verdict>> judge(const std::filesystem::path &bundle,
                                            JudgeEvents &events) override;

private:
  LocalOptions options_;
  bool started_ = false;  ///< a worker has said what is to be said about this machine
};

struct FolderOptions {
  std::filesystem::path folder;  ///< the bundle is copied to folder/<bundle id>-<hash>
  std::chrono::milliseconds poll_interval{1000};
  std::optional<std::chrono::milliseconds> time_limit;  ///< after it the rest is `not_evaluated`
  const StopFlag *stop = nullptr;
};

/// For machines that cannot be reached directly: copies the bundle to a folder and waits for verdict files
/// there.
class FolderExecutor : public Executor {
public:
  explicit FolderExecutor(FolderOptions options) : options_(std::move(options)) {}
  Result<std::vector<model::Verdict>> judge(const std::filesystem::path &bundle,
                                            JudgeEvents &events) override;

private:
  FolderOptions options_;
};

}  // namespace cupilot::judge::bundle
