// SPDX-License-Identifier: Apache-2.0
//
// The order of the accesses of one block's threads. Time is a counter that each synchronisation advances,
// and an access carries the time at which it happened. Private to check/.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "evolution/emulate/check/publication.h"
#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::check {

class BlockClock {
public:
  explicit BlockClock(std::uint32_t warps);

  /// A null `publication`: no other blocks are watched.
  void begin(Publication *publication, std::uint64_t block);
  std::uint32_t now() const { return now_; }
  std::uint32_t floor() const { return floor_; }  ///< earlier accesses are ordered before all present ones
  bool exhausted() const { return now_ >= kLast; }

  void block_barrier();
  void named_barrier(const std::vector<std::uint32_t> &warps);
  void warp_barrier(std::uint32_t warp, program::Mask members, program::Mask live);
  /// `in_block`: it orders for the threads of this block only.
  void fence(std::uint32_t warp, bool in_block = false);
  void strong_write(std::uint32_t warp, bool in_block = false);  ///< publishes what is before the last fence
  void strong_read(std::uint32_t warp, bool in_block = false);

  /// Whether the warp has made a fence of any scope since.
  bool fenced(std::uint32_t warp, std::uint32_t stamp) const { return times_[warp].own_fence > stamp; }
  /// Within a block: whether an access at `stamp` by `from_lane` of `from_warp` is ordered before a present
  /// access.
  bool ordered(std::uint32_t from_warp, int from_lane, std::uint32_t stamp, std::uint32_t warp,
               int lane) const;
  /// Between blocks: whether the other thread's access was published and this warp has acquired since.
  bool acquired(std::uint64_t from_block, std::uint32_t from_warp, std::uint32_t stamp, std::uint32_t warp);

private:
  static constexpr std::uint32_t kLast = (1u << 28) - 16;
  struct WarpTimes {
    std::uint32_t together = 0;   ///< time of the last barrier of all its lanes
    std::uint32_t fence = 0;      ///< time of its last fence for all blocks
    std::uint32_t own_fence = 0;  ///< time of its last fence of any scope
    std::uint32_t published = 0;  ///< accesses before this time are published to this block
    std::uint32_t announced = 0;  ///< and to others
    std::uint32_t read = 0;       ///< its last strong read
    /// Fence and floor at its last publication; if they are unchanged, there is nothing new to publish.
    std::uint64_t published_from = 0, announced_from = 0;
    std::uint64_t acquired = 0;  ///< Publication's time of its last strong read
    bool acquires = false;       ///< a strong read happened whose time is not set yet
    /// One row per lane: the time up to which the accesses of each other lane are ordered before it.
    /// Allocated when a part of the warp synchronises for the first time.
    std::unique_ptr<std::array<std::array<std::uint32_t, program::kLanes>, program::kLanes>> known;
  };
  std::uint32_t tick() { return now_ < kLast ? ++now_ : now_; }
  std::uint32_t &seen(std::uint32_t by, std::uint32_t of) { return seen_[by * times_.size() + of]; }
  void settle(WarpTimes &times);
  std::uint32_t published_of(std::uint32_t by, std::uint32_t of, std::uint32_t WarpTimes::*fences) const;

  std::vector<WarpTimes> times_;
  /// Times that a warp has seen of another, set by named barriers; empty without them.
  std::vector<std::uint32_t> seen_;
  std::uint32_t now_ = 1, floor_ = 1;
  std::uint64_t acquired_by_all_ = 0;  ///< Publication's time at the last block barrier
  Publication *publication_ = nullptr;
  std::uint64_t block_ = 0;
};

}  // namespace cupilot::emulate::check
