// SPDX-License-Identifier: Apache-2.0
//
// Finds the blocks of a launch that write given bytes. It executes a few blocks, takes it that a block writes
// what its neighbour writes, moved by a constant distance along each axis of the grid, and else searches by
// halving. Every answer has been seen: the block was executed and wrote the bytes.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "evolution/emulate/session/traffic.h"

namespace cupilot::emulate::session {

/// A block of one quarter of the grid: of its halves along two axes where it has two, else of four parts of
/// its first long axis. `drawn` is any number and chooses among them.
std::uint64_t block_in_quarter(const std::array<std::uint32_t, 3> &grid, std::uint64_t quarter,
                               std::uint64_t drawn);

class BlockSearch {
public:
  /// Executes a block unless it is known; null: it does not end, or too much was executed already.
  using Run = std::function<const BlockSeen *(std::uint64_t block)>;
  BlockSearch(std::array<std::uint32_t, 3> grid, Run run) : grid_(grid), run_(std::move(run)) {}

  std::optional<std::uint64_t> find(const Area &area, std::uint64_t address, std::uint64_t bytes);

private:
  struct Steps {
    std::uint64_t origin = 0;
    std::array<std::int64_t, 3> of{};  ///< bytes from a block to the next, by axis
    int failures = 0;
  };
  const BlockSeen *run(std::uint64_t block);
  std::optional<std::uint64_t> known(std::uint64_t address, std::uint64_t bytes) const;
  Steps *steps_in(const Area &area);  ///< null where blocks do not advance evenly
  std::optional<std::uint64_t> by_steps(const Area &area, std::uint64_t address, std::uint64_t bytes);
  std::optional<std::uint64_t> by_halving(const Area &area, std::uint64_t address, std::uint64_t bytes);
  std::uint64_t index(const std::array<std::uint64_t, 3> &block) const {
    return (block[2] * grid_[1] + block[1]) * grid_[0] + block[0];
  }

  std::array<std::uint32_t, 3> grid_;
  Run run_;
  std::map<std::uint64_t, const BlockSeen *> seen_;
  std::map<std::uint64_t, std::optional<Steps>> steps_;  ///< by the area's address
  int lost_ = 0;                                         ///< searches by halving that found nothing
};

}  // namespace cupilot::emulate::session
