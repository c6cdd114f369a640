// SPDX-License-Identifier: Apache-2.0
//
// What a search may still do: counts candidates, wall time and GPU time against the budget, or against the
// share of the budget that a policy which runs others has given to one of them.

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "evolution/model/verdict.h"
#include "evolution/search/budget.h"

namespace cupilot {

class Allowance {
public:
  /// Counted as the budget is, from the start.
  struct Share {
    std::size_t candidates = 0;
    std::chrono::milliseconds wall{0};
  };

  Allowance(const Budget &budget, const Clock &clock)
      : budget_(budget), clock_(clock), started_(clock.now()) {}

  /// Until it is lifted the search is done where the share is spent.
  void set_share(Share share) { share_ = share; }
  void lift_share() { share_.reset(); }

  /// Individuals that were given a name: what the budget's candidates count.
  std::size_t named() const { return named_; }
  bool may_name() const { return named_ < most_candidates(); }
  std::size_t name_next() { return ++named_; }

  void count(const Verdict &verdict, bool resumed);
  void count_judging(std::chrono::milliseconds spent) { judging_ += spent; }
  std::size_t judged() const { return judged_; }
  std::size_t resumed() const { return resumed_; }
  std::chrono::milliseconds elapsed() const { return clock_.now() - started_; }

  /// A round that has begun goes on: its candidates have their names.
  bool may_judge() const { return elapsed() < most_wall() && !gpu_spent(); }
  /// "candidate budget spent"; empty while something is left of everything.
  std::string spent_because() const;
  /// As many candidates as fit what is left of the clock and of the GPU time, by what one took so far.
  std::size_t batch_size() const;
  /// Until the budget is spent; `waiting` are named and not judged yet. Not known before the first verdict.
  std::optional<std::chrono::milliseconds> time_left(std::size_t waiting) const;

private:
  std::size_t most_candidates() const;
  std::chrono::milliseconds most_wall() const;
  bool gpu_spent() const;

  const Budget &budget_;
  const Clock &clock_;
  std::chrono::milliseconds started_, judging_{0};
  std::optional<Share> share_;
  std::size_t named_ = 0, judged_ = 0, resumed_ = 0;
  double gpu_seconds_ = 0;  ///< of all verdicts of the run, resumed ones too
};

/// Above this the build of a batch would keep the GPU waiting for too long at its end.
inline constexpr std::size_t kLargestBatch = 48;

}  // namespace cupilot
