// SPDX-License-Identifier: Apache-2.0
//
// Tunes one kernel; the entry point of the search engine. A policy proposes individuals, the judge answers,
// and the run database stores everything as it happens. A run that was killed continues where it stopped.
// Publishing is the caller's task: a winner here is an individual with a confirmed verdict.

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

namespace cupilot::judge::bundle {
class Executor;
}  // namespace cupilot::judge::bundle

namespace cupilot::provider {
class Providers;
struct Recording;
}  // namespace cupilot::provider

namespace cupilot::store {
class Database;
}  // namespace cupilot::store

namespace cupilot::strategy {
class StrategyPool;
}  // namespace cupilot::strategy

namespace cupilot::search {

struct TuneSettings {
  std::string policy = kPolicyWithoutModel;
  PolicySettings options;
  Budget budget;
  std::uint64_t seed = 0;
  std::string architecture;  ///< "sm_90"
  bool estimates = false;    ///< the executor is the CPU: ranks by estimates, under keys of their own
  std::string device;        ///< "NVIDIA H200" when known; otherwise the device last seen in the run database
  std::filesystem::path bundles;    ///< the folders of the bundles are created here
  std::vector<std::string> waived;  ///< Bundle::waived
  bool profile = true;              ///< collect hardware counters for the winner, where permitted
  double bandwidth_goal = 0.97;   ///< stop when every timed workload reaches this share of the copy bandwidth
  double roof_goal = 0.9;         ///< policies with a model stop at this share of the nearest roof
  double plateau = 0.02;          ///< descent stops after a pass over all knobs that gains less than this
  std::size_t descents = 3;       ///< how many of the best individuals get their knobs tuned
  std::size_t confirmations = 5;  ///< number of finalists that are tried before giving up
};

/// One line of the report "what was tried and why it lost": a set of strategies at its best knob values.
struct TriedStrategies {
  std::vector<std::string> strategies;
  std::string individual;                     ///< empty if no variant was made
  std::string knobs;                          ///< "kThreads=256"
  std::size_t candidates = 0;                 ///< how many candidates were judged for it
  std::optional<model::VerdictKind> verdict;  ///< absent if the strategy was refused or the role failed
  double speedup = 0;
  std::string reason;  ///< why it lost, or "won"
  bool won = false;
  double estimate = 0;  ///< replaces the speed-up if the executor is the CPU
};

struct JudgedIndividual {
  model::Individual individual;
  model::Verdict verdict;
};

struct TuneOutcome {
  std::string kernel, kernel_id, workload_id, architecture;
  std::string policy;
  std::uint64_t seed = 0;
  std::optional<JudgedIndividual>
      winner;  ///< `faster`, and confirmed in a new bundle with a new seed: may be published
  std::optional<JudgedIndividual> best;  ///< best individual with verdict `faster`, confirmed or not
  std::vector<model::Measurement>
      measurements;                        ///< of original and winner (else best, else any timed candidate)
  std::vector<model::Estimate> estimates;  ///< the same if the executor is the CPU; never both
  std::vector<std::string> limits;         ///< workloads that were made smaller or that the variant declines
  std::vector<model::Case>
      cases;  ///< the cases on which the winner was confirmed; used by record/make_record
  std::uint64_t confirm_seed = 0;
  model::DeviceReport device;
  std::vector<TriedStrategies> tried;  ///< in the order tried
  std::map<model::VerdictKind, std::size_t> counts;
  std::size_t judged = 0, resumed = 0, refused = 0, duplicates = 0;
  provider::Spending spent;                      ///< the cost of models, over all starts of this run
  std::vector<model::StrategyOutcome> outcomes;  ///< one for each strategy tried, for the history
  std::chrono::milliseconds elapsed{0};
  std::string stopped_because;  ///< "nothing left to try", "wall time spent", "interrupted", ...
  bool interrupted = false;     ///< ended by the stop flag: start again to continue
  bool models_ended = false;    ///< money, tokens, credit or the server ended it: start again with more
};

/// What a tuner uses; all of it must outlive the tuner.
struct TuneCollaborators {
  store::Database &database;
  judge::bundle::Executor &executor;
  const provider::Providers &providers;
  const strategy::StrategyPool &pool;
  const Clock &clock;
  Progress &progress;
  const std::atomic<bool> &stop;  ///< set by a signal handler; checked between candidates
  std::vector<model::StrategyOutcome> history =
      {};  ///< outcomes of earlier runs, from the user's data folder
  /// If set, verdicts come from this recording and nothing is sent to the executor. A run with a recording is
  /// a separate run.
  const provider::Recording *recorded = nullptr;
  /// The extractor's facts about a variant of the kernel. Without this function nothing is known about the
  /// code of variants.
  std::function<spec::CodeFacts(const spec::KernelSpec &, const std::string &variant)> facts_of = {};
};

/// An error means that the run could not continue (no GPU, the original itself fails, disk full); everything
/// known by then is in the database. If no strategy helps, that is an outcome, not an error.
class Tuner {
public:
  Tuner(TuneSettings settings, TuneCollaborators with) : settings_(std::move(settings)), with_(with) {}
  Result<TuneOutcome> tune_kernel(const spec::KernelSpec &spec);

private:
  TuneSettings settings_;
  TuneCollaborators with_;
};

}  // namespace cupilot::search
