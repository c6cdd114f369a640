// SPDX-License-Identifier: Apache-2.0
//
// The L1 of one multiprocessor: lines of four sectors; the least recently used line of a set is replaced;
// writes pass through.

#pragma once

#include <cstdint>
#include <vector>

namespace cupilot::emulate::estimation {

class L1Cache {
public:
  explicit L1Cache(double bytes);
  /// When the sector's data is there, if it is or is on its way; else negative, and it counts as fetched: the
  /// caller says when with `arrives`.
  double find(std::uint64_t sector);
  void arrives(std::uint64_t sector, double time);
  void drop(std::uint64_t sector);

private:
  static constexpr unsigned kWays = 8;
  struct Line {
    std::uint64_t line = ~0ull, used = 0;
    unsigned valid = 0;  ///< a bit a sector
    double ready = 0;
  };
  Line *line_of(std::uint64_t line);
  std::vector<Line> lines_;
  std::uint64_t sets_ = 1, clock_ = 0;
};

}  // namespace cupilot::emulate::estimation
