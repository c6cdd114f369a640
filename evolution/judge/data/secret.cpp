// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/data/secret.h"

#include <random>

namespace cupilot::judge::data {

std::uint64_t draw_secret() {
  constexpr int kBits = 53;  // a double represents these integers exactly
  std::random_device system;
  const std::uint64_t bits = (std::uint64_t{system()} << 32) | system();
  const std::uint64_t secret = bits >> (64 - kBits);
  return secret == 0 ? 1 : secret;
}

}  // namespace cupilot::judge::data
