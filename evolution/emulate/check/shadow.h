// SPDX-License-Identifier: Apache-2.0
//
// Race detection: remembers the last accesses to each word of the shared memory of one block and of the
// global memory of one launch. Two accesses are a race when they touch the same byte, one of them writes,
// they are not both strong (atomic, volatile, relaxed, ...), nothing orders them, and a store that conflicts
// with a store changes the value. Three rules order accesses. Accesses of one thread are ordered. Accesses
// before a block, named or warp barrier are ordered before those after it. If a thread makes a fence (or
// release) and then a strong write, its accesses before the fence are ordered before the accesses of any
// thread that makes a strong read later (the pattern of "last block reduces", spin locks and flags). The last
// rule compares times and not addresses, so it can miss a race but never reports a false one.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "evolution/emulate/memory/memory.h"
#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::check {

struct Toucher {
  std::uint64_t block = 0;   ///< linear block index
  std::uint32_t thread = 0;  ///< linear thread index in the block
  std::uint32_t pc = 0;
  bool write = false, atomic = false;
};

/// A conflict of the present access with an earlier one that is not ordered before it.
struct Conflict {
  Toucher earlier;
  std::uint64_t address = 0;  ///< first byte that both touch; an offset in shared memory
  bool asynchronous = false;  ///< the earlier access is a copy (cp.async) that was not waited for
  /// Both volatile, of lanes of one warp or, in global memory, of different blocks: only running in step, or
  /// in the order of the text, would order them.
  bool lockstep = false;
  bool read_only = false;  ///< a read by the read-only path of what this launch has written
};

struct TouchRequest {
  std::uint32_t warp = 0, pc = 0;
  program::Mask mask = 0;  ///< lanes that access
  program::Mask heads =
      0xffffffff;  ///< reads: a lane whose bit is clear reads the same address as the lane before it
  const std::uint64_t *address = nullptr;  ///< 32: global addresses or shared offsets
  std::uint8_t bytes = 4;
  bool reads = true, writes = false, atomic = false, asynchronous = false, weak = true;
  /// A volatile load that hands data from thread to thread, and does not wait in a loop for it.
  bool exchanged = false;
  /// The access itself has release semantics (st.release, atom.acq_rel), so it includes a fence.
  bool release = false;
  bool read_only = false;  ///< by a cache that does not see what the launch writes
  bool in_block = false;   ///< of scope .cta: nothing is promised to other blocks
  /// 32 or 16 for a full warp with contiguous addresses in groups of that many lanes; else 0.
  std::uint8_t together = 0;
  /// Stores only: gives the bytes that `lane` is about to write, so that harmless stores of the same value
  /// are recognised; null: unknown.
  void (*value)(const void *context, int lane, std::byte *to) = nullptr;
  const void *context = nullptr;
  std::byte *memory = nullptr;  ///< pointer to address 0 of the space in this process (global memory: null)
};

/// The first conflict among the lanes.
struct TouchAnswer {
  std::optional<Conflict> race;
  int lane = -1;
};

/// The accesses to global memory in one launch; shared by the host threads that run its blocks.
class GlobalShadow {
public:
  GlobalShadow(memory::Memory &memory, std::uint64_t blocks, std::uint32_t warps_per_block);
  ~GlobalShadow();
  /// False when address space or thread numbers are exhausted; global memory is then not watched.
  bool available() const;
  struct State;

private:
  friend class BlockShadow;
  std::unique_ptr<State> state_;
};

/// The order of the accesses of one resident block's threads, and the accesses to its shared memory. Not
/// thread-safe: a block runs on one host thread.
class BlockShadow {
public:
  /// `global` null: races in global memory are not watched. `races` false: only the initialisation of shared
  /// memory is checked.
  BlockShadow(GlobalShadow *global, std::uint32_t shared_bytes, std::uint32_t warps, bool races,
              bool initialised);
  ~BlockShadow();
  void begin(std::uint64_t block);  ///< starts the next block, by its linear index; call it first

  /// Call it before the access happens.
  TouchAnswer touch_shared(const TouchRequest &request);
  TouchAnswer touch_global(const TouchRequest &request);
  /// The first lane that reads bytes that were not written since begin(), or -1.
  int unwritten_shared(program::Mask mask, const std::uint64_t *address, std::uint8_t bytes,
                       std::uint8_t together, std::uint64_t &where) const;
  void write_shared(program::Mask mask, const std::uint64_t *address, std::uint8_t bytes,
                    std::uint8_t together);

  /// A barrier of all threads of the block (bar.sync and similar), or of all threads of the named warps.
  void block_barrier();
  void named_barrier(const std::vector<std::uint32_t> &warps);
  /// bar.warp.sync, shuffles, votes: orders the members' accesses. `live`: all lanes of the warp that have
  /// not exited.
  void warp_barrier(std::uint32_t warp, program::Mask members, program::Mask live);

  /// membar, fence.*; `in_block`: of scope .cta
  void fence(std::uint32_t warp, bool in_block = false);
  /// Synchronisation that is not an access (mbarriers). release() publishes the warp's earlier accesses;
  /// acquire() makes the published accesses of others known to the warp.
  void release(std::uint32_t warp);
  void acquire(std::uint32_t warp);

  /// Asynchronous copies of these lanes: async_commit() closes a group; async_wait() says that all groups but
  /// the newest `left` have arrived.
  void async_commit(std::uint32_t warp, program::Mask lanes);
  void async_wait(std::uint32_t warp, program::Mask lanes, unsigned left);

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cupilot::emulate::check
