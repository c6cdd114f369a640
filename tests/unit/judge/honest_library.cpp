// SPDX-License-Identifier: Apache-2.0
//
// What an original's host side looks like to the screen.
#include <cmath>
#include <cstring>

extern "C" int cupilot_entry(void *call) {
  static constexpr double kTable[] = {1, 2, 4};
  unsigned long long bytes = 0;
  std::memcpy(&bytes, call, sizeof bytes);
  return static_cast<int>(std::log2(kTable[bytes % 3]));
}
