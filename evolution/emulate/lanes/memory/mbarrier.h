// SPDX-License-Identifier: Apache-2.0
//
// The 64 bits of an mbarrier in shared memory, and its rules. The bits are opaque to kernels, so their
// layout is ours. A phase ends when no arrivals and no transaction bytes are pending.

#pragma once

#include <cstdint>

namespace cupilot::emulate::lanes {

struct MBarrier {
  static constexpr std::uint32_t kMostArrivals = (1u << 20) - 1;

  std::uint32_t pending = 0, expected = 0;
  std::int32_t transactions = 0;
  std::uint32_t phase = 0;  ///< modulo 8

  static MBarrier unpack(std::uint64_t word);
  std::uint64_t pack() const;

  /// Returns false when more threads arrive than are pending.
  bool arrive(std::uint32_t count);
  bool drop(std::uint32_t count);
  void expect_transactions(std::uint32_t bytes);
  void complete_transactions(std::uint32_t bytes);

private:
  void end_phase_if_complete();
};

inline MBarrier MBarrier::unpack(std::uint64_t word) {
  MBarrier barrier;
  barrier.pending = static_cast<std::uint32_t>(word & kMostArrivals);
  barrier.expected = static_cast<std::uint32_t>(word >> 20 & kMostArrivals);
  barrier.transactions = static_cast<std::int32_t>(word >> 40 << 11) >> 11;
  barrier.phase = static_cast<std::uint32_t>(word >> 61);
  return barrier;
}

inline std::uint64_t MBarrier::pack() const {
  const auto bytes = static_cast<std::uint64_t>(static_cast<std::uint32_t>(transactions) & 0x1fffff);
  return std::uint64_t{pending} | std::uint64_t{expected} << 20 | bytes << 40 | std::uint64_t{phase} << 61;
}

inline void MBarrier::end_phase_if_complete() {
  if (pending != 0 || transactions != 0) return;
  phase = (phase + 1) & 7;
  pending = expected;
}

inline bool MBarrier::arrive(std::uint32_t count) {
  if (count == 0 || count > pending) return false;
  pending -= count;
  end_phase_if_complete();
  return true;
}

inline bool MBarrier::drop(std::uint32_t count) {
  if (count > expected) return false;
  expected -= count;
  return arrive(count);
}

inline void MBarrier::expect_transactions(std::uint32_t bytes) {
  transactions += static_cast<std::int32_t>(bytes);
}

inline void MBarrier::complete_transactions(std::uint32_t bytes) {
  transactions -= static_cast<std::int32_t>(bytes);
  end_phase_if_complete();
}

}  // namespace cupilot::emulate::lanes
