// SPDX-License-Identifier: Apache-2.0
//
// How memory instructions get from addresses to bytes of this process, in three steps of growing cost: a
// cached range and one comparison (load_store), the cached range for lanes anywhere in it (here), and a
// search that also words the fault (access_fault). Private to machine/.

#pragma once

#include <cstddef>
#include <cstdint>

#include "evolution/emulate/machine/block.h"
#include "evolution/emulate/machine/launch_state.h"
#include "evolution/emulate/machine/warp.h"

namespace cupilot::emulate {

/// What a store is about to write, for the checks: two stores of the same value are no race.
struct StoreValues {
  void (*value)(const void *context, int lane, std::byte *to) = nullptr;
  const void *context = nullptr;
};

/// Which space a generic address means, and the address in that space.
inline ptx::Space space_of(std::uint64_t address) {
  const std::uint64_t window = address - kSharedWindow;
  if (window >= 2 * kWindowBytes && address - kLocalWindow >= kWindowBytes) return ptx::Space::global;
  if (window < kWindowBytes) return ptx::Space::shared;
  return address - kLocalWindow < kWindowBytes ? ptx::Space::local : ptx::Space::global;
}
inline std::uint64_t window_of(ptx::Space space) {
  return space == ptx::Space::shared ? kSharedWindow : space == ptx::Space::local ? kLocalWindow : 0;
}

/// The range this step used last, on this host thread; emptied when the kernel has freed memory since.
inline CachedRange &cached_range(Warp &warp, const Step &step) {
  HostThread &host = warp.block->host;
  const std::uint64_t freed = warp.block->launch.freed.load(std::memory_order_relaxed);
  if (host.freed != freed) [[unlikely]] {
    host.ranges.assign(host.ranges.size(), {});
    host.freed = freed;
  }
  return host.ranges[step.pc];
}

/// resolve() that can tell the values of a store.
Mask resolve_store(Warp &warp, const Step &step, Mask mask, const Access &access,
                   const std::uint64_t *address, std::byte **host, const StoreValues &values);

/// Checks and observers of an access whose addresses are good, all in one space. `contiguous`: as
/// TouchRequest.
void watch_access(Warp &warp, const Step &step, Mask mask, const Access &access, ptx::Space space,
                  const std::uint64_t *address, bool contiguous, const StoreValues &values);
/// Unwatched stores, too, set the bits of written bytes.
void mark_written(const CachedRange &range, std::uint64_t address, std::uint64_t bytes);

/// Finds and reports what is wrong with one lane's access; `space` is resolved.
void report_bounds(Warp &warp, const Step &step, int lane, const Access &access, ptx::Space space,
                   std::uint64_t address);
void report_alignment(Warp &warp, const Step &step, int lane, const Access &access, ptx::Space space,
                      std::uint64_t address);
/// "reads 4 bytes", "writes 1 byte", "updates 4 bytes"
std::string access_text(const Access &access);
/// "'x' + 12 (4096 bytes)", "shared address 12"
std::string address_text(const Warp &warp, ptx::Space space, std::uint64_t address);

}  // namespace cupilot::emulate
