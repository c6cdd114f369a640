// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/check/block_clock.h"

#include <algorithm>

namespace cupilot::emulate::check {

BlockClock::BlockClock(std::uint32_t warps) : times_(warps) {}

void BlockClock::begin(Publication *publication, std::uint64_t block) {
  publication_ = publication;
  block_ = block;
  for (WarpTimes &times : times_) times = {};
  seen_.clear();
  acquired_by_all_ = 0;
  if (now_ > kLast / 2) now_ = 0;
  floor_ = ++now_;
}

void BlockClock::block_barrier() {
  for (WarpTimes &times : times_) {
    settle(times);
    acquired_by_all_ = std::max(acquired_by_all_, times.acquired);
  }
  floor_ = tick();
}

void BlockClock::named_barrier(const std::vector<std::uint32_t> &warps) {
  if (seen_.empty()) seen_.resize(times_.size() * times_.size());
  const std::uint32_t time = tick();
  std::uint64_t acquired = 0;
  for (std::uint32_t of = 0; of < times_.size(); ++of) {
    std::uint32_t most = 0;
    for (const std::uint32_t by : warps) most = std::max(most, seen(by, of));
    for (const std::uint32_t by : warps) seen(by, of) = most;
  }
  for (const std::uint32_t warp : warps) {
    for (const std::uint32_t other : warps) seen(warp, other) = time;
    settle(times_[warp]);
    acquired = std::max(acquired, times_[warp].acquired);
    times_[warp].together = time;
    times_[warp].published_from = times_[warp].announced_from = 0;
  }
  for (const std::uint32_t warp : warps) times_[warp].acquired = acquired;
}

void BlockClock::warp_barrier(std::uint32_t warp, program::Mask members, program::Mask live) {
  WarpTimes &times = times_[warp];
  const std::uint32_t time = tick();
  if ((live & ~members) == 0) {
    times.together = time;
    return;
  }
  if (!times.known) {
    times.known = std::make_unique<std::array<std::array<std::uint32_t, program::kLanes>, program::kLanes>>();
    for (auto &row : *times.known) row.fill(0);
  }
  std::array<std::uint32_t, program::kLanes> joined{};
  for (program::Mask left = members; left; left &= left - 1) {
    const auto &row = (*times.known)[__builtin_ctz(left)];
    for (int lane = 0; lane < program::kLanes; ++lane) joined[lane] = std::max(joined[lane], row[lane]);
  }
  for (program::Mask left = members; left; left &= left - 1) joined[__builtin_ctz(left)] = time;
  for (program::Mask left = members; left; left &= left - 1) (*times.known)[__builtin_ctz(left)] = joined;
}

void BlockClock::fence(std::uint32_t warp, bool in_block) {
  times_[warp].own_fence = tick();
  if (!in_block) times_[warp].fence = times_[warp].own_fence;
}

/// The time up to which a strong write of warp `by` publishes the accesses of warp `of`. A fence must follow
/// these accesses: one of `by` after a barrier made them known to it, or one of `of` before that barrier.
std::uint32_t BlockClock::published_of(std::uint32_t by, std::uint32_t of,
                                       std::uint32_t WarpTimes::*fences) const {
  const std::uint32_t fence = times_[by].*fences, own = times_[of].*fences;
  if (by == of) return fence;
  const std::uint32_t known = std::max(floor_, seen_.empty() ? 0 : seen_[by * times_.size() + of]);
  const std::uint32_t best = fence >= known ? known : fence >= floor_ ? floor_ : 0;
  return std::max(best, std::min(own, known));
}

void BlockClock::strong_write(std::uint32_t warp, bool in_block) {
  WarpTimes &times = times_[warp];
  const auto from = [&](std::uint32_t fence) { return (static_cast<std::uint64_t>(fence) << 32) | floor_; };
  if (times.published_from != from(times.own_fence)) {
    times.published_from = from(times.own_fence);
    for (std::uint32_t of = 0; of < times_.size(); ++of)
      times_[of].published = std::max(times_[of].published, published_of(warp, of, &WarpTimes::own_fence));
  }
  if (in_block || times.announced_from == from(times.fence)) return;
  times.announced_from = from(times.fence);
  for (std::uint32_t of = 0; of < times_.size(); ++of) {
    const std::uint32_t stamp = published_of(warp, of, &WarpTimes::fence);
    if (stamp <= times_[of].announced) continue;
    times_[of].announced = stamp;
    if (publication_) publication_->publish(block_, of, stamp);
  }
}

void BlockClock::strong_read(std::uint32_t warp, bool in_block) {
  times_[warp].read = now_;
  if (!in_block) times_[warp].acquires = true;
}

/// Called some time after the read: only then is it certain what another host thread had published before the
/// read.
void BlockClock::settle(WarpTimes &times) {
  if (!times.acquires) return;
  times.acquires = false;
  if (publication_) times.acquired = publication_->now();
}

bool BlockClock::ordered(std::uint32_t from_warp, int from_lane, std::uint32_t stamp, std::uint32_t warp,
                         int lane) const {
  if (stamp < floor_) return true;
  const WarpTimes &from = times_[from_warp], &to = times_[warp];
  if (from_warp == warp) {
    if (from_lane == lane || stamp < to.together) return true;
    if (to.known && stamp < (*to.known)[lane][from_lane]) return true;
  } else if (!seen_.empty() && stamp < seen_[warp * times_.size() + from_warp]) {
    return true;
  }
  return stamp < from.published && stamp < to.read;
}

bool BlockClock::acquired(std::uint64_t from_block, std::uint32_t from_warp, std::uint32_t stamp,
                          std::uint32_t warp) {
  if (!publication_) return true;
  settle(times_[warp]);
  const std::uint64_t acquired = std::max(acquired_by_all_, times_[warp].acquired);
  const std::uint32_t first = publication_->first(from_block);
  return first != 0 && acquired >= first && stamp < publication_->published(from_block, from_warp);
}

}  // namespace cupilot::emulate::check
