// SPDX-License-Identifier: Apache-2.0
//
// One remembered access in 8 bytes: when it happened (a stamp of the block's clock), who made it (a thread
// of the launch), and how. A cell is written atomically, so a host thread never sees parts of two cells.
// Private to check/.

#pragma once

#include <cstdint>

namespace cupilot::emulate::check {

using Cell = std::uint64_t;

inline constexpr Cell kPending = Cell{1} << 62;  ///< writers: an asynchronous copy not waited for
inline constexpr Cell kStrong = Cell{1} << 61;   ///< atomic, volatile, relaxed, ...
inline constexpr Cell kAtomic = Cell{1} << 60;   ///< writers
inline constexpr Cell kMore = Cell{1} << 60;     ///< readers: another reader is stored in the second array
/// Readers: the two readers are in different warps (global memory: blocks). Any writer conflicts with one of
/// them, so further readers need not be stored.
inline constexpr Cell kFar = Cell{1} << 62;
/// Global memory: strong for its own block only (scope .cta).
inline constexpr Cell kInBlock = Cell{1} << 63;
inline constexpr std::uint32_t kMostStamp = (1u << 28) - 1;

inline Cell make_cell(std::uint32_t stamp, std::uint32_t who, Cell flags = 0) {
  return (static_cast<Cell>(stamp) << 32) | who | flags;
}
inline std::uint32_t stamp_of(Cell cell) {
  return static_cast<std::uint32_t>(cell >> 32) & kMostStamp;
}
inline std::uint32_t who_of(Cell cell) {
  return static_cast<std::uint32_t>(cell);
}

/// Parallel arrays, indexed by granule (the bytes of one cell): last writer, last reader, and another reader.
struct Cells {
  Cell *writer = nullptr, *reader = nullptr, *second = nullptr;
  std::uint32_t *writer_pc = nullptr, *reader_pc = nullptr, *second_pc = nullptr;

  Cells at(std::uint64_t index) const {
    return {writer + index,    reader + index,    second + index,
            writer_pc + index, reader_pc + index, second_pc + index};
  }
};

}  // namespace cupilot::emulate::check
