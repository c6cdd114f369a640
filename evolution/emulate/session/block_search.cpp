// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/block_search.h"

#include <algorithm>

namespace cupilot::emulate::session {

namespace {

constexpr int kMostFailures = 3;
constexpr std::uint64_t kMostTried = 1 << 22;

}  // namespace

std::uint64_t block_in_quarter(const std::array<std::uint32_t, 3> &grid, std::uint64_t quarter,
                               std::uint64_t drawn) {
  const bool halves = std::ranges::count_if(grid, [](std::uint32_t size) { return size > 1; }) > 1;
  const std::uint64_t parts = halves ? 2 : 4;
  std::uint64_t rest = quarter % 4, block = 0, stride = 1;
  for (const std::uint64_t size : grid) {
    std::uint64_t begin = 0, end = size;
    if (size > 1) {
      const std::uint64_t part = rest % parts;
      begin = size * part / parts, end = size * (part + 1) / parts;
      if (begin == end) begin = std::min(begin, size - 1), end = begin + 1;
      rest = halves ? rest / 2 : 0;
    }
    block += (begin + drawn % (end - begin)) * stride;
    drawn /= end - begin;
    stride *= size;
  }
  return block;
}

const BlockSeen *BlockSearch::run(std::uint64_t block) {
  const auto [at, fresh] = seen_.try_emplace(block, nullptr);
  if (fresh) at->second = run_(block);
  return at->second;
}

std::optional<std::uint64_t> BlockSearch::known(std::uint64_t address, std::uint64_t bytes) const {
  for (const auto &[block, seen] : seen_)
    if (seen && seen->written.holds(address, bytes)) return block;
  return std::nullopt;
}

std::optional<std::uint64_t> BlockSearch::find(const Area &area, std::uint64_t address, std::uint64_t bytes) {
  if (const auto block = known(address, bytes)) return block;
  if (const auto block = by_steps(area, address, bytes)) return block;
  return by_halving(area, address, bytes);
}

BlockSearch::Steps *BlockSearch::steps_in(const Area &area) {
  const auto [at, fresh] = steps_.try_emplace(area.begin);
  if (!fresh) return at->second ? &*at->second : nullptr;
  std::array<std::uint64_t, 3> middle{};
  for (std::size_t axis = 0; axis < 3; ++axis) middle[axis] = grid_[axis] / 2;
  Steps steps{.origin = index(middle), .of = {}};
  const auto start = [&](std::uint64_t block) -> std::optional<std::uint64_t> {
    const BlockSeen *seen = run(block);
    const auto extent = seen ? seen->written.extent(area.begin, area.end) : std::nullopt;
    return extent ? std::optional(extent->first) : std::nullopt;
  };
  const auto origin = start(steps.origin);
  if (!origin) return nullptr;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (grid_[axis] < 2) continue;
    auto next = middle;
    --next[axis];
    const auto before = start(index(next));
    if (!before) return nullptr;
    steps.of[axis] = static_cast<std::int64_t>(*origin - *before);
  }
  return &at->second.emplace(steps);
}

/// A block moved from the origin by (x, y, z) writes the bytes when the origin writes them moved back.
std::optional<std::uint64_t> BlockSearch::by_steps(const Area &area, std::uint64_t address,
                                                   std::uint64_t bytes) {
  Steps *const found = steps_in(area);
  if (!found || found->failures >= kMostFailures) return std::nullopt;
  Steps &steps = *found;
  const BlockSeen &origin = *run(steps.origin);
  const auto extent = origin.written.extent(area.begin, area.end);
  if (!extent) return std::nullopt;
  const auto low = static_cast<std::int64_t>(extent->first), high = static_cast<std::int64_t>(extent->second);
  const std::array<std::int64_t, 3> middle{grid_[0] / 2, grid_[1] / 2, grid_[2] / 2};
  std::uint64_t tried = 0;
  for (std::int64_t z = 0; z < grid_[2]; ++z)
    for (std::int64_t y = 0; y < grid_[1]; ++y) {
      const std::int64_t rest =
          static_cast<std::int64_t>(address) - (z - middle[2]) * steps.of[2] - (y - middle[1]) * steps.of[1];
      std::int64_t from = 0, to = grid_[0] - 1;
      if (const std::int64_t step = steps.of[0]; step != 0) {
        const std::int64_t one = (rest - high) / step + middle[0], other = (rest - low) / step + middle[0];
        from = std::max<std::int64_t>(from, std::min(one, other) - 1);
        to = std::min<std::int64_t>(to, std::max(one, other) + 1);
      } else {
        from = to = middle[0];
      }
      if (++tried > kMostTried) return std::nullopt;
      for (std::int64_t x = from; x <= to; ++x) {
        if (++tried > kMostTried) return std::nullopt;
        const std::int64_t back = rest - (x - middle[0]) * steps.of[0];
        if (back < low || back >= high || !origin.written.holds(static_cast<std::uint64_t>(back), bytes))
          continue;
        const std::uint64_t block = index(
            {static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z)});
        const BlockSeen *seen = run(block);
        if (seen && seen->written.holds(address, bytes)) return block;
        if (++steps.failures >= kMostFailures) return std::nullopt;
      }
    }
  return std::nullopt;
}

/// As if the places that blocks write to grew with their numbers.
std::optional<std::uint64_t> BlockSearch::by_halving(const Area &area, std::uint64_t address,
                                                     std::uint64_t bytes) {
  if (lost_ >= kMostFailures) return std::nullopt;
  std::uint64_t low = 0, high = std::uint64_t{grid_[0]} * grid_[1] * grid_[2];
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const BlockSeen *seen = run(middle);
    const auto extent = seen ? seen->written.extent(area.begin, area.end) : std::nullopt;
    if (!extent) break;
    if (seen->written.holds(address, bytes)) return middle;
    if (address < extent->first)
      high = middle;
    else if (address >= extent->second)
      low = middle + 1;
    else
      break;
  }
  ++lost_;
  return std::nullopt;
}

}  // namespace cupilot::emulate::session
