// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/occupancy.h"

#include <algorithm>

namespace cupilot::emulate::estimate {

namespace {

constexpr int kRegisterUnit = 256, kRegistersPerThreadUnit = 8, kWarpUnit = 4, kSharedUnit = 128;

std::int64_t rounded(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Residency residency(int threads, int registers, std::uint64_t shared_bytes, const DeviceTable &device) {
  Residency found;
  found.warps = (threads + program::kLanes - 1) / program::kLanes;
  const auto value = [&](const char *key) { return static_cast<std::int64_t>(device.values.at(key)); };
  bool first = true;
  const auto keep_least = [&](std::int64_t blocks, const char *limit) {
    if (!first && blocks >= found.blocks) return;
    found.blocks = static_cast<int>(blocks);
    found.limit = limit;
    first = false;
  };
  keep_least(value("max_blocks_per_multiprocessor"), "blocks");
  keep_least(value("max_threads_per_multiprocessor") / program::kLanes / std::max(found.warps, 1), "threads");
  const std::int64_t of_warp =
      rounded(rounded(std::max(registers, 1), kRegistersPerThreadUnit) * program::kLanes, kRegisterUnit);
  const std::int64_t warps_by_registers = value("registers_per_multiprocessor") / of_warp / kWarpUnit *
                                          kWarpUnit;  // four schedulers share evenly
  keep_least(warps_by_registers / std::max(found.warps, 1), "registers");
  const std::int64_t shared = rounded(static_cast<std::int64_t>(shared_bytes), kSharedUnit) +
                              value("reserved_shared_bytes_per_block");
  if (shared > 0) keep_least(value("shared_bytes_per_multiprocessor") / shared, "shared memory");
  return found;
}

}  // namespace cupilot::emulate::estimate
