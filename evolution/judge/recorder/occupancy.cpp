// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/recorder/occupancy.h"

#include <algorithm>

namespace cupilot::launches {

namespace {

constexpr int kWarp = 32, kRegisterUnit = 256, kParts = 4;
constexpr std::uint64_t kSharedUnit = 128;

template <class T>
T round_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

int resident_blocks(const ProcessorLimits &limits, const BlockNeeds &block) {
  if (block.threads < 1 || block.threads > limits.threads_per_block) return 0;
  const int warps = (block.threads + kWarp - 1) / kWarp;
  const int warp_registers = round_up(std::max(block.registers, 1) * kWarp, kRegisterUnit);
  const int by_registers = limits.registers / warp_registers / kParts * kParts / warps;
  const auto shared = round_up<std::uint64_t>(block.shared_bytes + limits.reserved_shared_bytes, kSharedUnit);
  const auto by_shared = static_cast<int>(limits.shared_bytes / shared);
  return std::min({limits.blocks, limits.threads / kWarp / warps, by_registers, by_shared});
}

}  // namespace cupilot::launches
