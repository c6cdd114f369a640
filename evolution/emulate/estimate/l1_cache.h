// SPDX-License-Identifier: Apache-2.0
//
// The L1 of one multiprocessor: lines of four sectors, least-recently-used replacement within a set,
// write-through.

#pragma once

#include <cstdint>
#include <vector>

namespace cupilot::emulate::estimate {

class L1Cache {
public:
  explicit L1Cache(double bytes);
  /// The time at which the sector's data is available, if it is cached or being fetched. Negative on a miss:
  /// the sector then counts as being fetched, and the caller sets the time of its arrival with `arrives`.
  double find(std::uint64_t sector);
  void arrives(std::uint64_t sector, double time);
  void drop(std::uint64_t sector);

private:
  static constexpr unsigned kWays = 8;
  struct Line {
    std::uint64_t line = ~0ull, used = 0;
    unsigned valid = 0;  ///< one bit per sector
    double ready = 0;
  };
  Line *line_of(std::uint64_t line);
  std::vector<Line> lines_;
  std::uint64_t sets_ = 1, clock_ = 0;
};

}  // namespace cupilot::emulate::estimate
