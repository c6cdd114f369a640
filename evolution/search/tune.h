// SPDX-License-Identifier: Apache-2.0
//
// Tuning one kernel: the engine's front door. A policy proposes individuals, the judge answers, the run
// database keeps everything as it happens; running again after a kill goes on where it stopped. Publishing is
// the caller's: a winner here is only an individual with a confirmed verdict.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"
#include "evolution/model/individual.h"
#include "evolution/model/strategy_outcome.h"
#include "evolution/model/verdict.h"
#include "evolution/search/budget.h"
#include "evolution/search/policy_settings.h"
#include "evolution/search/progress.h"

namespace cupilot {

class Database;
class Executor;
class Providers;
struct Recording;
class StrategyPool;

struct TuneSettings {
  std::string policy = kPolicyWithoutModel;
  PolicySettings options;
  Budget budget;
  std::uint64_t seed = 0;
  std::string architecture;  ///< "sm_90"
  bool estimates = false;    ///< the executor is the CPU: verdicts rank by estimates, under keys of their own
  std::string device;        ///< "NVIDIA H200" when known; else what the run database saw last
  std::filesystem::path bundles;    ///< one folder per bundle is made below
  std::vector<std::string> waived;  ///< Bundle::waived
  bool profile = true;              ///< counters for the winner, where they are allowed
  double bandwidth_goal =
      0.97;                  ///< every timed workload at this share of copy bandwidth: nothing left to gain
  double roof_goal = 0.9;    ///< policies with a model stop at this share of the nearest roof
  double plateau = 0.02;     ///< a pass over all knobs that gains less than this is the last
  std::size_t descents = 3;  ///< how many of the best individuals get their knobs tuned
  std::size_t confirmations = 5;  ///< finalists tried before giving up
};

/// One line of "what was tried and why it lost": one set of strategies, at its best knob values.
struct TriedStrategies {
  std::vector<std::string> strategies;
  std::string individual;              ///< empty when no variant came of it
  std::string knobs;                   ///< "kThreads=256"
  std::size_t candidates = 0;          ///< how many were judged for it
  std::optional<VerdictKind> verdict;  ///< absent: refused, or the role failed
  double speedup = 0;
  std::string reason;  ///< why it lost, or "won"
  bool won = false;
  double estimate = 0;  ///< instead of the speed-up where the executor is the CPU
};

struct JudgedIndividual {
  Individual individual;
  Verdict verdict;
};

struct TuneOutcome {
  std::string kernel, kernel_id, workload_id, architecture;
  std::string policy;
  std::uint64_t seed = 0;
  std::optional<JudgedIndividual>
      winner;  ///< `faster`, and again in a fresh bundle with a fresh seed: may be published
  std::optional<JudgedIndividual> best;   ///< best `faster` of the search, confirmed or not
  std::vector<Measurement> measurements;  ///< original and winner (else best, else any timed candidate)
  std::vector<Estimate> estimates;        ///< the same where the executor is the CPU; never both
  std::vector<std::string> limits;        ///< of the verdict shown: what was made smaller, what is declined
  std::vector<Case> cases;                ///< what the winner was confirmed on: for record/make_record
  std::uint64_t confirm_seed = 0;
  DeviceReport device;
  std::vector<TriedStrategies> tried;  ///< in the order tried
  std::map<VerdictKind, std::size_t> counts;
  std::size_t judged = 0, resumed = 0, refused = 0, duplicates = 0;
  Spending spent;                         ///< on models, over all starts of this run
  std::vector<StrategyOutcome> outcomes;  ///< one for each strategy tried: for the history
  std::chrono::milliseconds elapsed{0};
  std::string stopped_because;  ///< "nothing left to try", "wall time spent", "interrupted", ...
  bool interrupted = false;     ///< the stop flag ended it: run again to go on
  bool models_ended = false;    ///< money, tokens, credit or the server did: run again, with more, to go on
};

/// What a tuner works with; all of it outlives the tuner.
struct TuneCollaborators {
  Database &database;
  Executor &executor;
  const Providers &providers;
  const StrategyPool &pool;
  const Clock &clock;
  Progress &progress;
  const std::atomic<bool> &stop;              ///< set by a signal handler; looked at between candidates
  std::vector<StrategyOutcome> history = {};  ///< of earlier runs, as the user's data folder has them
  /// Its verdicts are the judge's answers: nothing is sent to the executor. Runs of it are runs of their own.
  const Recording *recorded = nullptr;
  /// The extractor's facts about a variant of the kernel; nothing is known of variants without it.
  std::function<CodeFacts(const KernelSpec &, const std::string &variant)> facts_of = {};
};

/// An error here means the run could not go on (no GPU, the original itself fails, disk full). Everything
/// known by then is in the database. "No strategy helps" is an outcome, not an error.
class Tuner {
public:
  Tuner(TuneSettings settings, TuneCollaborators with) : settings_(std::move(settings)), with_(with) {}
  Result<TuneOutcome> tune_kernel(const KernelSpec &spec);

private:
  TuneSettings settings_;
  TuneCollaborators with_;
};

}  // namespace cupilot
