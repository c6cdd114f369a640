// SPDX-License-Identifier: Apache-2.0
//
// What the engine says while it works. The engine reports events and draws nothing; one printer in driver/cli
// turns them into a rewritten line, one line per event, JSON, or silence. All calls come from one thread, in
// order.

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot {

/// A bundle's worth of candidates: "singles", "compositions", "knobs", "confirm".
struct RoundStarted {
  std::string kernel;
  int number = 0;
  std::string name;
  std::size_t candidates = 0;  ///< to be judged now
  std::size_t known = 0;       ///< of this round, taken from the run database
};

struct CandidateJudged {
  std::string kernel, candidate;
  std::vector<std::string> strategies;
  std::string knobs;  ///< "kThreads=256 kItems=4"
  VerdictKind verdict = VerdictKind::not_evaluated;
  double speedup = 0;  ///< 0 when nothing was timed
  std::string reason;
  bool resumed = false;  ///< from the run database, not judged now
  double estimate = 0;   ///< instead of the speed-up where the executor is the CPU
};

struct BestSoFar {
  std::string kernel, candidate;
  double speedup = 0;
  double original_us = 0, best_us = 0;  ///< medians of the first timed workload
  double bandwidth_share = 0;
  /// Instead of the four above where the executor is the CPU.
  double estimate = 0, original_estimate_us = 0, best_estimate_us = 0;
};

/// Where the run stands, after every verdict.
struct Standing {
  std::string kernel;
  std::size_t judged = 0, resumed = 0;  ///< candidates that have a verdict; resumed ones are not in `judged`
  std::size_t in_round = 0, round_size = 0;
  std::chrono::milliseconds elapsed{0};
  std::optional<std::chrono::milliseconds>
      left;  ///< at most this long; absent until there is something to go by
};

/// Questions to a model are under way, side by side.
struct RoleAsked {
  std::string kernel, role;
  std::string provider, model;  ///< "" where there is no model to name
  std::size_t questions = 0;
};

/// One question to somebody who costs something, answered or not.
struct RoleAnswered {
  std::string kernel, role;
  std::string provider, model;  ///< as the server names the one that answered
  std::string failure;          ///< why there is no answer, or why it could not be used; empty when good
  long long tokens_in = 0, tokens_cached = 0, tokens_out = 0;
  double usd = 0, seconds = 0;
  bool resumed = false;      ///< from the run database: nothing was asked, nothing paid now
  long long run_tokens = 0;  ///< in and out, of the whole run so far
  double run_usd = 0;
};

struct TuneOutcome;

/// Every event has a do-nothing default: silence is the base class.
class Progress {
public:
  virtual ~Progress() = default;
  virtual void kernel_started(const std::string & /*kernel*/, const std::string & /*architecture*/) {}
  virtual void round_started(const RoundStarted &) {}
  /// A rule whose precondition does not hold here, or a role that gave no usable answer.
  virtual void strategy_refused(const std::string & /*kernel*/,
                                const std::vector<std::string> & /*strategies*/,
                                const std::string & /*reason*/) {}
  /// Somebody has to do something elsewhere (the folder executor): one line for people.
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

}  // namespace cupilot
