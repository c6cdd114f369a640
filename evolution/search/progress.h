// SPDX-License-Identifier: Apache-2.0
//
// The events that the engine reports while it works. One printer in driver/cli turns them into a line that is
// rewritten in place, one line per event, JSON, or nothing. All calls come from one thread, in order.

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot::search {

/// A round, which is one or more batches of candidates: "singles", "compositions", "knobs", "confirm".
struct RoundStarted {
  std::string kernel;
  int number = 0;
  std::string name;
  std::size_t candidates = 0;  ///< to be judged now
  std::size_t known = 0;       ///< in this round, with a verdict from the run database
};

struct CandidateJudged {
  std::string kernel, candidate;
  std::vector<std::string> strategies;
  std::string knobs;  ///< "kThreads=256 kItems=4"
  model::VerdictKind verdict = model::VerdictKind::not_evaluated;
  double speedup = 0;  ///< 0 when nothing was timed
  std::string reason;
  bool resumed = false;  ///< the verdict comes from the run database
  double estimate = 0;   ///< replaces the speed-up if the executor is the CPU
};

struct BestSoFar {
  std::string kernel, candidate;
  double speedup = 0;
  double original_us = 0, best_us = 0;  ///< medians of the first timed workload
  double bandwidth_share = 0;
  /// These replace the four members above if the executor is the CPU.
  double estimate = 0, original_estimate_us = 0, best_estimate_us = 0;
};

/// The state of the run; reported after every verdict.
struct Standing {
  std::string kernel;
  std::size_t judged = 0, resumed = 0;  ///< candidates that have a verdict; resumed ones are not in `judged`
  std::size_t in_round = 0, round_size = 0;
  std::chrono::milliseconds elapsed{0};
  std::optional<std::chrono::milliseconds>
      left;  ///< upper estimate of the remaining time; absent before the first verdict
};

/// Several questions were sent to a model at once.
struct RoleAsked {
  std::string kernel, role;
  std::string provider, model;  ///< "" where there is no model to name
  std::size_t questions = 0;
};

/// The outcome of one question to a provider that costs something.
struct RoleAnswered {
  std::string kernel, role;
  std::string provider, model;  ///< the model that answered, as the server names it
  std::string failure;          ///< why there is no answer, or why it could not be used; empty when good
  long long tokens_in = 0, tokens_cached = 0, tokens_out = 0;
  double usd = 0, seconds = 0;
  bool resumed = false;      ///< the answer comes from the run database: nothing was asked and nothing paid
  long long run_tokens = 0;  ///< input plus output tokens of the whole run so far
  double run_usd = 0;
};

struct TuneOutcome;

/// Receives the events. The default of every event does nothing, so the base class is silent.
class Progress {
public:
  virtual ~Progress() = default;
  virtual void kernel_started(const std::string & /*kernel*/, const std::string & /*architecture*/) {}
  virtual void round_started(const RoundStarted &) {}
  /// A rule whose precondition does not hold here, or a role that gave no usable answer.
  virtual void strategy_refused(const std::string & /*kernel*/,
                                const std::vector<std::string> & /*strategies*/,
                                const std::string & /*reason*/) {}
  /// The executor waits for something outside the program (the folder executor); `message` is one line for
  /// people.
  virtual void waiting(const std::string & /*kernel*/, const std::string & /*message*/) {}
  virtual void candidate_built(const std::string & /*kernel*/, const std::string & /*candidate*/,
                               double /*seconds*/) {}
  virtual void candidate_judged(const CandidateJudged &) {}
  virtual void role_asked(const RoleAsked &) {}
  virtual void role_answered(const RoleAnswered &) {}
  virtual void best_so_far(const BestSoFar &) {}
  virtual void standing(const Standing &) {}
  virtual void finished(const TuneOutcome &) {}
};

}  // namespace cupilot::search
