// SPDX-License-Identifier: Apache-2.0
//
// What a search may cost. The wall limit counts the current call only. All other limits count the whole run,
// including resumed parts, so that an interruption does not change what they mean. Confirming the winner does
// not count against the limits of time and candidates.

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "evolution/provider/provider.h"

namespace cupilot::search {

/// The engine's source of time. Tests of budgets and estimates use a clock that they control.
class Clock {
public:
  virtual ~Clock() = default;
  /// Time since a fixed moment; it never decreases.
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
  std::optional<double> usd;                ///< limit on the cost of models
  std::optional<long long> tokens;          ///< limit on input plus output tokens, as the server counts them
  std::optional<std::chrono::seconds> gpu;  ///< limit on verify, time and finalist seconds
};

/// The account of what models have cost in this run. A question is asked only if its highest possible cost
/// still fits the budget; that cost is reserved. The actual cost replaces the reservation when the answer
/// arrives, so the budget is never exceeded. An answer that was lost because the process was killed counts at
/// its highest possible cost.
class Ledger {
public:
  Ledger(Budget budget, provider::Spending already) : budget_(budget), spent_(already) {}

  /// False if `at_most` does not fit the budget; nothing is reserved then. The refusal is final if no other
  /// question is under way.
  bool reserve(const provider::Spending &at_most);
  void settle(const provider::Spending &reserved, const provider::Spending &spent);

  const provider::Spending &spent() const { return spent_; }
  const provider::Spending &reserved() const { return reserved_; }
  /// The reason, such as "money budget spent ($4.97 of $5.00; ...)", once a reservation has been refused for
  /// good; empty before.
  const std::string &done_because() const { return done_because_; }

private:
  Budget budget_;
  provider::Spending spent_, reserved_;
  std::size_t outstanding_ = 0;  ///< reservations not settled yet
  std::string done_because_;
};

}  // namespace cupilot::search
