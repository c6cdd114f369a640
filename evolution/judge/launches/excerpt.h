// SPDX-License-Identifier: Apache-2.0
//
// An excerpt of a call that is too large to be executed whole: some of its blocks, what they wrote, and how
// much all blocks together read and write, extended from those. Only the emulated device makes excerpts.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "evolution/judge/launches/session.h"

namespace cupilot::judge::launches {

/// Bytes of one output whose final values are known. The values stand in the dump, one piece after the other.
struct Piece {
  std::size_t buffer = 0;  ///< index in the layout
  std::uint64_t at = 0, bytes = 0;
};

/// What the blocks of a call read from and write to one buffer. `least` and `most` enclose what is not known
/// of the blocks that were not executed.
struct BufferTraffic {
  std::size_t buffer = 0;
  double least_written = 0, most_written = 0, least_read = 0, most_read = 0;
  double filled = 0;  ///< bytes that the host side clears or sets
  std::string place;  ///< of an instruction that writes it: "variant.cuh:12"; empty: unknown
};

struct Excerpt {
  bool declined = false;
  std::vector<Fault> faults;
  std::vector<Piece> pieces;
  std::vector<BufferTraffic> traffic;
  /// Blocks depend on others that were not executed (atomics on scratch memory, say), so that what they write
  /// may be less than in a whole launch.
  bool dependent = false;
  std::string open;  ///< why some outputs have no pieces; empty: all have
  std::uint64_t blocks_run = 0;
};

}  // namespace cupilot::judge::launches
