// SPDX-License-Identifier: Apache-2.0
//
// Checks lanes with arbitrary addresses: the lanes of each space against the range of the space (for global
// memory, the allocation that this step used last), and one by one only if that fails.

#include "evolution/emulate/machine/access.h"

#include <algorithm>

namespace cupilot::emulate::machine {
namespace {

using ptx::Space;

struct Extent {
  std::uint64_t low = ~std::uint64_t{0}, high = 0, bits = 0;
};

Extent extent_of(program::Mask mask, const std::uint64_t *address) {
  Extent extent;
  for (program::Mask left = mask; left; left &= left - 1) {
    const std::uint64_t at = address[__builtin_ctz(left)];
    extent.low = std::min(extent.low, at);
    extent.high = std::max(extent.high, at);
    extent.bits |= at;
  }
  return extent;
}

template <typename Do>
void for_lanes(program::Mask mask, Do &&act) {
  for (; mask; mask &= mask - 1) act(__builtin_ctz(mask));
}

/// Reports and removes lanes whose address is not a multiple of the alignment.
program::Mask aligned(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                      ptx::Space space, const std::uint64_t *address) {
  // A power of two: no division for each lane.
  const std::uint64_t low = access.alignment - 1u;
  std::uint64_t bits = 0;
  for_lanes(mask, [&](int lane) { bits |= address[lane]; });
  if ((bits & low) == 0) return mask;
  program::Mask good = mask;
  for_lanes(mask, [&](int lane) {
    if ((address[lane] & low) == 0) return;
    report_alignment(warp, step, lane, access, space, address[lane]);
    good &= ~(program::Mask{1} << lane);
  });
  return good;
}

/// Shared or local memory of `size` bytes from address 0.
program::Mask inside(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                     ptx::Space space, std::uint64_t size, const std::uint64_t *address) {
  const Extent extent = extent_of(mask, address);
  if (extent.high + access.bytes <= size && extent.high < size) return mask;
  program::Mask good = mask;
  for_lanes(mask, [&](int lane) {
    if (address[lane] < size && access.bytes <= size - address[lane]) return;
    report_bounds(warp, step, lane, access, space, address[lane]);
    good &= ~(program::Mask{1} << lane);
  });
  return good;
}

bool covers(const CachedRange &range, std::uint64_t address, std::uint64_t bytes) {
  return address >= range.begin && address < range.end && bytes <= range.end - address;
}

/// Finds the allocation of one lane's global address; its range becomes the step's cached range.
bool search(Warp &warp, CachedRange &range, const Access &access, std::uint64_t address) {
  if (covers(range, address, access.bytes) && !(access.writes && range.read_only)) return true;
  const memory::Allocation *found = warp.block->launch.memory.find(address);
  if (!found || access.bytes > found->end() - address || (access.writes && found->read_only)) return false;
  range = {.begin = found->address,
           .end = found->end(),
           .read_only = found->read_only,
           .tracked = found->written ? found : nullptr};
  return true;
}

program::Mask resolve_global(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                             const std::uint64_t *address) {
  CachedRange &range = cached_range(warp, step);
  const Extent extent = extent_of(mask, address);
  const bool together = covers(range, extent.low, 1) && covers(range, extent.high, access.bytes) &&
                        !(access.writes && range.read_only);
  program::Mask good = mask;
  if (!together)
    for_lanes(mask, [&](int lane) {
      if (search(warp, range, access, address[lane])) {
        if (access.writes) mark_written(range, address[lane], warp.checked ? 0 : access.bytes);
        return;
      }
      report_bounds(warp, step, lane, access, ptx::Space::global, address[lane]);
      good &= ~(program::Mask{1} << lane);
    });
  else if (access.writes && range.tracked && !warp.checked)
    for_lanes(mask, [&](int lane) { mark_written(range, address[lane], access.bytes); });
  return good;
}

/// Lanes of one resolved space.
program::Mask resolve_space(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                            ptx::Space space, const std::uint64_t *address, std::byte **host,
                            const StoreValues &values) {
  if (!mask) return 0;
  Block &block = *warp.block;
  program::Mask good = aligned(warp, step, mask, access, space, address);
  if (space == ptx::Space::shared) {
    good = inside(warp, step, good, access, space, block.launch.shared_bytes, address);
    for_lanes(good, [&](int lane) { host[lane] = block.shared + address[lane]; });
  } else if (space == ptx::Space::local) {
    good = inside(warp, step, good, access, space, warp.local_bytes, address);
    for_lanes(good, [&](int lane) { host[lane] = local_memory(warp, lane) + address[lane]; });
  } else {
    good = resolve_global(warp, step, good, access, address);
    for_lanes(good, [&](int lane) { host[lane] = reinterpret_cast<std::byte *>(address[lane]); });
  }
  if (warp.checked && good) watch_access(warp, step, good, access, space, address, false, values);
  return good;
}

/// Sorts lanes with generic addresses by the space that their address belongs to.
program::Mask resolve_generic(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                              const std::uint64_t *address, std::byte **host, const StoreValues &values) {
  program::Mask lanes[3] = {};
  std::uint64_t inner[program::kLanes];
  constexpr ptx::Space kSpaces[3] = {ptx::Space::global, ptx::Space::shared, ptx::Space::local};
  for_lanes(mask, [&](int lane) {
    const ptx::Space space = space_of(warp, address[lane]);
    lanes[space == ptx::Space::shared ? 1 : space == ptx::Space::local ? 2 : 0] |= program::Mask{1} << lane;
    inner[lane] = address[lane] - window_of(warp, space);
  });
  program::Mask good = 0;
  for (int i = 0; i < 3; ++i)
    good |= resolve_space(warp, step, lanes[i], access, kSpaces[i], inner, host, values);
  return good;
}

}  // namespace

void mark_written(const CachedRange &range, std::uint64_t address, std::uint64_t bytes) {
  if (range.tracked && bytes) range.tracked->written.set(address - range.begin, bytes);
}

program::Mask resolve_store(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                            const std::uint64_t *address, std::byte **host, const StoreValues &values) {
  switch (access.space) {
    case ptx::Space::shared:
    case ptx::Space::local:
      return resolve_space(warp, step, mask, access, access.space, address, host, values);
    case ptx::Space::generic:
      return resolve_generic(warp, step, mask, access, address, host, values);
    default:
      return resolve_space(warp, step, mask, access, ptx::Space::global, address, host, values);
  }
}

program::Mask resolve(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                      const std::uint64_t *address, std::byte **host) {
  return resolve_store(warp, step, mask, access, address, host, {});
}

}  // namespace cupilot::emulate::machine
