// SPDX-License-Identifier: Apache-2.0
//
// Translates the addresses of memory instructions into pointers of this process, in three steps of growing
// cost: one comparison with a cached range (load_store), a check of each lane against the cached range
// (here), and a search of the allocations that also describes the fault (access_fault). Private to machine/.

#pragma once

#include <cstddef>
#include <cstdint>

#include "evolution/emulate/machine/block.h"
#include "evolution/emulate/machine/launch_state.h"
#include "evolution/emulate/machine/warp.h"

namespace cupilot::emulate::machine {

/// The values that a store is about to write, for the race check: two stores of the same value are no race.
struct StoreValues {
  void (*value)(const void *context, int lane, std::byte *to) = nullptr;
  const void *context = nullptr;
};

/// The space that a generic address belongs to.
inline ptx::Space space_of(const Warp &warp, std::uint64_t address) {
  if (address - warp.shared_window < memory::kWindowBytes) return ptx::Space::shared;
  return address - warp.local_window < memory::kWindowBytes ? ptx::Space::local : ptx::Space::global;
}
inline std::uint64_t window_of(const Warp &warp, ptx::Space space) {
  return space == ptx::Space::shared  ? warp.shared_window
         : space == ptx::Space::local ? warp.local_window
                                      : 0;
}

/// The range that this step used last on this host thread. It is cleared when the kernel has freed memory
/// since.
inline CachedRange &cached_range(Warp &warp, const program::Step &step) {
  HostThread &host = warp.block->host;
  const std::uint64_t freed = warp.block->launch.freed.load(std::memory_order_relaxed);
  if (host.freed != freed) [[unlikely]] {
    host.ranges.assign(host.ranges.size(), {});
    host.freed = freed;
  }
  return host.ranges[step.pc];
}

/// resolve() for a store whose values are known.
program::Mask resolve_store(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                            const std::uint64_t *address, std::byte **host, const StoreValues &values);

/// Runs the checks and the observer for an access with valid addresses in one space. `contiguous`: the lanes
/// access neighbouring elements (see TouchRequest).
void watch_access(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                  ptx::Space space, const std::uint64_t *address, bool contiguous, const StoreValues &values);
/// Sets the bits of written bytes, also for stores that no check watches.
void mark_written(const CachedRange &range, std::uint64_t address, std::uint64_t bytes);

/// Finds and reports what is wrong with one lane's access; `space` is resolved.
void report_bounds(Warp &warp, const program::Step &step, int lane, const Access &access, ptx::Space space,
                   std::uint64_t address);
void report_alignment(Warp &warp, const program::Step &step, int lane, const Access &access, ptx::Space space,
                      std::uint64_t address);
/// "reads 4 bytes", "writes 1 byte", "updates 4 bytes"
std::string access_text(const Access &access);
/// "'x' + 12 (4096 bytes)", "shared address 12"
std::string address_text(const Warp &warp, ptx::Space space, std::uint64_t address);

}  // namespace cupilot::emulate::machine
