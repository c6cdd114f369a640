// SPDX-License-Identifier: Apache-2.0
//
// What handlers outside of arithmetic may use of the run: a warp in its block, access to memory with all
// checks in one call, and ways to report a fault or to wait. Control flow itself is private to machine/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "evolution/emulate/machine/finding.h"
#include "evolution/emulate/program/step.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate {

class Block;

/// Lanes of one warp that run in lockstep now. Handlers may read everything, and change frame contents only.
class Warp : public WarpFrame {
public:
  Block *block = nullptr;
  std::uint32_t index = 0;        ///< in the block
  Mask live = 0;                  ///< lanes that exist and have not exited
  Mask active = 0;                ///< of the part that runs now
  bool stop = false;              ///< set: the loop gives control back after this handler
  bool checked = false;           ///< races, initialisation or an observer watch accesses
  std::byte *local = nullptr;     ///< local memory of lane 0; the other lanes' follow
  std::uint32_t local_bytes = 0;  ///< of one lane
};

struct Access {
  ptx::Space space = ptx::Space::generic;
  std::uint8_t bytes = 4;  ///< of one lane; vectors in all. Addresses must be multiples of `alignment`
  std::uint8_t alignment = 4;
  bool reads = true, writes = false, atomic = false;
  bool asynchronous = false;  ///< cp.async: visible to its own thread only after a wait
  bool weak = true;           ///< not volatile, relaxed, acquire, release
  bool release = false;       ///< .release, .acq_rel: orders what came before, like a fence
};

/// Where lanes' addresses point in this process, checked: bounds, alignment, and (when Warp::checked) races
/// and initialisation, observers told. `address`: 32 device addresses (shared and local space: offsets).
/// Lanes with a fault are reported, not in the returned mask, and the launch ends soon. host[i] is set for
/// returned lanes.
Mask resolve(Warp &warp, const Step &step, Mask mask, const Access &access, const std::uint64_t *address,
             std::byte **host);

/// For the checks. Copies made by `lanes` (Access::asynchronous): close a group; all but the newest `left`
/// groups have arrived.
void async_commit(Warp &warp, Mask lanes);
void async_wait(Warp &warp, Mask lanes, unsigned left);
/// For the checks: synchronisation that is not an access (mbarrier: an arrival releases, a successful wait
/// acquires).
void sync_release(Warp &warp);
void sync_acquire(Warp &warp);

/// Reports a fault of this step; `lane` < 0: the whole warp. Stops the launch unless it is a race or an
/// uninitialised read (those go on).
void report(Warp &warp, const Step &step, FindingKind kind, int lane, std::string message);

/// `.sync` operations with a member mask: true when all live lanes of `members` are here (in `mask`) and the
/// handler may go on; false when this part has to wait: the handler returns at once and is called again when
/// the others have come. Reports members that can never come, and callers that are not members.
/// A handler whose lanes name different members calls gather() for every group before it changes anything;
/// lanes of one group then are `mask`.
bool gather(Warp &warp, const Step &step, Mask mask, Mask members);

/// 32-bit shared-space offsets of this block's shared memory; for handlers that need it whole (ldmatrix: use
/// resolve).
std::byte *shared_memory(Warp &warp);
std::uint32_t shared_bytes(const Warp &warp);

/// Linear thread number in the block of a lane.
inline std::uint32_t thread_number(const Warp &warp, int lane) {
  return warp.index * kLanes + static_cast<std::uint32_t>(lane);
}
/// State of a block for handlers that keep something there (mbarriers, pending asynchronous copies); created
/// on first use, by key.
struct BlockState {
  virtual ~BlockState() = default;
};
BlockState *block_state(Warp &warp, const void *key);
void set_block_state(Warp &warp, const void *key, BlockState *owned);

/// For handlers that found out that another warp has to act first (an mbarrier's phase has not ended): the
/// warp's turn ends at the end of the loop around this step, as after nanosleep.
void yield(Warp &warp);

}  // namespace cupilot::emulate
