// SPDX-License-Identifier: Apache-2.0
//
// Random numbers for what surrounds a call. They are drawn before the sandbox and never shown to a library.

#pragma once

#include <cstdint>

namespace cupilot::judge::recorder {

/// xorshift64, https://www.jstatsoft.org/article/view/v008i14. Copies continue alike.
class Chance {
public:
  void begin();  ///< with a seed of the system's
  std::uint64_t next() {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return state_;
  }

private:
  std::uint64_t state_ = 1;
};

}  // namespace cupilot::judge::recorder
