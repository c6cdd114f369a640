// SPDX-License-Identifier: Apache-2.0
//
// Time as the engine sees it: budgets and estimates are tested with a clock that stands still.

#pragma once

#include <chrono>

namespace cupilot {

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

}  // namespace cupilot
