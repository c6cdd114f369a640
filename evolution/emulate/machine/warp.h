// SPDX-License-Identifier: Apache-2.0
//
// The interface for handlers outside of arithmetic: a warp in its block, memory access with all checks in one
// call, and functions to report a fault or to wait. Control flow itself is private to machine/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "evolution/emulate/machine/finding.h"
#include "evolution/emulate/memory/memory.h"
#include "evolution/emulate/program/step.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::machine {

class Block;

/// Lanes of one warp that run in lockstep now. Handlers may read everything, and change frame contents only.
class Warp : public program::WarpFrame {
public:
  Block *block = nullptr;
  std::uint32_t index = 0;   ///< in the block
  program::Mask live = 0;    ///< lanes that exist and have not exited
  program::Mask active = 0;  ///< lanes of the part that runs now
  bool stop = false;         ///< when set, the execution loop returns after this handler
  bool checked = false;  ///< accesses are watched: by the race check, the initialisation check or an observer
  std::byte *local = nullptr;     ///< local memory of lane 0, followed by that of the other lanes
  std::uint32_t local_bytes = 0;  ///< of one lane
  /// Where the generic addresses of shared and local memory begin.
  std::uint64_t shared_window = memory::kSharedWindow, local_window = memory::kLocalWindow;
};

struct Access {
  ptx::Space space = ptx::Space::generic;
  /// Bytes of one lane, all members of a vector included; addresses must be multiples of `alignment`.
  std::uint8_t bytes = 4;
  std::uint8_t alignment = 4;
  bool reads = true, writes = false, atomic = false;
  bool asynchronous = false;  ///< cp.async: visible to its own thread only after a wait
  bool weak = true;           ///< not volatile, relaxed, acquire, release
  bool release = false;       ///< .release, .acq_rel: orders earlier accesses like a fence
  bool in_block = false;      ///< scope .cta: other blocks need not see it in order, or at all
  bool read_only = false;     ///< .nc: by a cache that does not see what the launch writes
};

/// Translates the lanes' addresses into pointers of this process (`host`). Checks bounds and alignment and,
/// when Warp::checked, races and initialisation, and calls the observer. `address` has 32 device addresses
/// (offsets for shared and local space). Lanes with a fault are reported and are not in the returned mask,
/// and the launch ends soon. host[i] is set for the lanes of the returned mask.
program::Mask resolve(Warp &warp, const program::Step &step, program::Mask mask, const Access &access,
                      const std::uint64_t *address, std::byte **host);

/// For the checks: async_commit() closes a group of the asynchronous copies of `lanes`
/// (Access::asynchronous); async_wait() says that all but the newest `left` groups have arrived.
void async_commit(Warp &warp, program::Mask lanes);
void async_wait(Warp &warp, program::Mask lanes, unsigned left);
/// For the checks: synchronisation that is not a memory access. An arrival at an mbarrier releases, and a
/// successful wait acquires.
void sync_release(Warp &warp);
void sync_acquire(Warp &warp);

/// Reports a fault of this step; `lane` < 0: of the whole warp. The launch ends, except after a race or an
/// uninitialised read.
void report(Warp &warp, const program::Step &step, FindingKind kind, int lane, std::string message);

/// For `.sync` operations with a member mask. Returns true when all live lanes of `members` are in `mask`,
/// and the handler may continue. Returns false when this part has to wait; the handler then returns at once
/// and is called again when the other lanes have arrived. Reports members that can never arrive, and callers
/// that are not members.
/// A handler whose lanes name different members calls gather() once for each group, with the group's lanes as
/// `mask`, before it changes any state.
bool gather(Warp &warp, const program::Step &step, program::Mask mask, program::Mask members);

/// Counts numbers that an atomic turned into zero because they were subnormal (LaunchResult::flushed).
void count_flushed(Warp &warp, std::uint64_t numbers);

/// This block's shared memory, indexed by 32-bit shared-space offsets. For handlers that need all of it;
/// ldmatrix uses resolve().
std::byte *shared_memory(Warp &warp);
std::uint32_t shared_bytes(const Warp &warp);

/// Linear thread number in the block of a lane.
inline std::uint32_t thread_number(const Warp &warp, int lane) {
  return warp.index * program::kLanes + static_cast<std::uint32_t>(lane);
}
/// State that handlers keep for a block (mbarriers, pending asynchronous copies). It is created on first use
/// and found by its key.
struct BlockState {
  virtual ~BlockState() = default;
};
BlockState *block_state(Warp &warp, const void *key);
void set_block_state(Warp &warp, const void *key, BlockState *owned);

/// Those lanes of `mask` that happen to run together at this step, as __activemask() tells them: since Volta
/// any may, wherever no barrier says otherwise. The others come to the step later. All of them where places
/// are not drawn (LaunchOptions::place_seed).
program::Mask running_together(Warp &warp, const program::Step &step, program::Mask mask);

/// Whether what the warp asks for has not happened yet, though it could have: a copy that comes later. By
/// chance, another one each time; never where places are not drawn.
bool comes_later(const Warp &warp);

/// For handlers that have to wait for another warp (an mbarrier's phase has not ended). The warp's turn ends
/// at the end of the loop around this step, as after nanosleep.
void yield(Warp &warp);

}  // namespace cupilot::emulate::machine
