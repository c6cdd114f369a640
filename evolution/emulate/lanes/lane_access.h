// SPDX-License-Identifier: Apache-2.0
//
// Small tools for handlers: iterating over the lanes of a mask, operands of a step, and writing results
// under a mask.

#pragma once

#include <cstdint>
#include <cstring>

#include "evolution/emulate/lanes/instruction_words.h"
#include "evolution/emulate/machine/warp.h"

namespace cupilot::emulate::lanes {

inline constexpr program::Mask kAllLanes = 0xffffffffu;

template <typename Do>
inline void for_lanes(program::Mask mask, Do &&act) {
  for (; mask; mask &= mask - 1) act(__builtin_ctz(mask));
}

inline program::Offset operand(const program::Step &step, std::size_t place) {
  if (place >= step.operands) return program::kNowhere;
  return step.more ? step.more[place] : step.at[place];
}

template <typename T>
inline T *lanes_of(machine::Warp &warp, const program::Step &step, std::size_t place) {
  return warp.lanes<T>(operand(step, place));
}

/// Writes the results of 32 lanes into a register, for the lanes of `mask`. Does nothing when the operand is
/// `_`.
template <typename T>
inline void write_lanes(machine::Warp &warp, program::Offset at, program::Mask mask, const T *values) {
  if (at == program::kNowhere) return;
  T *to = warp.lanes<T>(at);
  if (mask == kAllLanes) {
    std::memcpy(to, values, program::kLanes * sizeof(T));
    return;
  }
  for_lanes(mask, [&](int lane) { to[lane] = values[lane]; });
}

inline void write_predicate(machine::Warp &warp, program::Offset at, program::Mask mask, program::Mask bits) {
  if (at == program::kNowhere) return;
  std::uint32_t &to = warp.predicate(at);
  to = (to & ~mask) | (bits & mask);
}

/// Reads the 32 device addresses (offsets for shared space) of an address operand.
inline void read_addresses(machine::Warp &warp, const program::Step &step, const AddressOperand &from,
                           std::uint64_t *to) {
  const program::Offset at = operand(step, from.flat);
  const auto offset = static_cast<std::uint64_t>(from.offset);
  if (from.wide) {
    const auto *base = warp.lanes<std::uint64_t>(at);
    for (int lane = 0; lane < program::kLanes; ++lane) to[lane] = base[lane] + offset;
  } else {
    const auto *base = warp.lanes<std::uint32_t>(at);
    for (int lane = 0; lane < program::kLanes; ++lane) to[lane] = base[lane] + offset;
  }
}

template <typename T>
inline T load_bytes(const std::byte *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <typename T>
inline void store_bytes(std::byte *to, T value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace cupilot::emulate::lanes
