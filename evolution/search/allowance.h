// SPDX-License-Identifier: Apache-2.0
//
// What a search may still do. Counts candidates, wall time and GPU time against the budget. A policy that
// runs other policies can limit one of them to a share of the budget.

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "evolution/model/verdict.h"
#include "evolution/search/budget.h"

namespace cupilot::search {

class Allowance {
public:
  /// A part of the budget. Both members are counted from the start, as they are for the budget.
  struct Share {
    std::size_t candidates = 0;
    std::chrono::milliseconds wall{0};
  };

  Allowance(const Budget &budget, const Clock &clock)
      : budget_(budget), clock_(clock), started_(clock.now()) {}

  /// Until the share is lifted, the search counts as done when the share is spent.
  void set_share(Share share) { share_ = share; }
  void lift_share() { share_.reset(); }

  /// How many individuals have been given an id. Budget::candidates limits this number.
  std::size_t named() const { return named_; }
  bool may_name() const { return named_ < most_candidates(); }
  std::size_t name_next() { return ++named_; }

  void count(const model::Verdict &verdict, bool resumed);
  /// When the verdicts of a batch came, counted from its start; those of the static check do not count.
  struct BatchTimes {
    std::chrono::milliseconds first{0}, last{0};
    std::size_t verdicts = 0;
  };
  void count_batch(const BatchTimes &times);
  std::size_t judged() const { return judged_; }
  std::size_t resumed() const { return resumed_; }
  std::chrono::milliseconds elapsed() const { return clock_.now() - started_; }

  /// Does not look at the candidate limit: the individuals of a round that has begun already have their ids.
  bool may_judge() const { return elapsed() < most_wall() && !gpu_spent(); }
  /// The limit that was reached, such as "candidate budget spent"; empty while no limit is reached.
  std::string spent_because() const;
  /// How many candidates fit into the remaining wall time and GPU time, estimated from the batches so far.
  /// Most of a batch's time may go by before its first verdict: the original is built and run anew for each.
  std::size_t batch_size() const;
  /// Estimated time until the budget is spent. `waiting` is the number of candidates that have an id and no
  /// verdict. Absent before the first verdict.
  std::optional<std::chrono::milliseconds> time_left(std::size_t waiting) const;

private:
  std::size_t most_candidates() const;
  std::chrono::milliseconds most_wall() const;
  bool gpu_spent() const;
  double fit_into(std::chrono::milliseconds left) const;

  const Budget &budget_;
  const Clock &clock_;
  std::chrono::milliseconds started_;
  BatchTimes batches_;  ///< sums over the batches
  std::size_t batch_count_ = 0;
  std::optional<Share> share_;
  std::size_t named_ = 0, judged_ = 0, resumed_ = 0;
  double gpu_seconds_ = 0;  ///< of all verdicts of the run, including resumed ones
};

/// With a larger batch the GPU would wait too long for the last builds.
inline constexpr std::size_t kLargestBatch = 48;

}  // namespace cupilot::search
