// SPDX-License-Identifier: Apache-2.0
//
// What a search may cost. The wall limit counts this call; all others count the whole run, resumed parts too,
// so that they mean the same however often it was interrupted. Confirming the winner is outside the limits of
// time and candidates.

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "evolution/provider/provider.h"

namespace cupilot {

/// Time as the engine sees it: budgets and estimates are tested with a clock that stands still.
class Clock {
public:
  virtual ~Clock() = default;
  /// Since a fixed moment; never goes backwards.
  virtual std::chrono::milliseconds now() const = 0;
};

class SteadyClock final : public Clock {
public:
  std::chrono::milliseconds now() const override {
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch());
  }
};

struct Budget {
  std::chrono::seconds wall{600};
  std::size_t candidates = 300;
  std::optional<double> usd;                ///< for models
  std::optional<long long> tokens;          ///< in and out together, as the server counts them
  std::optional<std::chrono::seconds> gpu;  ///< verify, time and finalist seconds of all verdicts
};

/// What models have cost this run. A question is asked only when the most it can cost still fits; what it did
/// cost replaces that when the answer is there. So the budget is never passed, and after a kill an answer
/// that was paid for and lost counts at its most.
class Ledger {
public:
  Ledger(Budget budget, Spending already) : budget_(budget), spent_(already) {}

  /// False: it would not fit, nothing is reserved. Final once nothing else is under way.
  bool reserve(const Spending &at_most);
  void settle(const Spending &reserved, const Spending &spent);

  const Spending &spent() const { return spent_; }
  const Spending &reserved() const { return reserved_; }
  /// "money budget spent ($4.97 of $5.00; ...)", once a reservation was refused for good; empty before.
  const std::string &done_because() const { return done_because_; }

private:
  Budget budget_;
  Spending spent_, reserved_;
  std::size_t outstanding_ = 0;  ///< reservations not settled yet
  std::string done_because_;
};

}  // namespace cupilot
