// SPDX-License-Identifier: Apache-2.0
//
// Who touched what last, word by word: shared memory of one block, and global memory of one launch. Two
// accesses are a race when they touch the same byte, one of them writes, they are not both strong (atomic,
// volatile, relaxed, ...), nothing orders them, and a store that conflicts with a store changes the value.
// Ordered are: accesses of one thread; the two sides of a block, named or warp barrier; and what a thread did
// before a fence (or release) that it followed by a strong write, before everything done by a thread that
// made a strong read since ("last block reduces", spin locks, flags). The last rule looks at times, not at
// addresses: it can miss a race, it does not invent one.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "evolution/emulate/memory/memory.h"
#include "evolution/emulate/program/step.h"

namespace cupilot::emulate {

struct Toucher {
  std::uint64_t block = 0;   ///< linear
  std::uint32_t thread = 0;  ///< linear in the block
  std::uint32_t pc = 0;
  bool write = false, atomic = false;
};

/// A conflict of `now` with an earlier access that nothing orders before it.
struct Conflict {
  Toucher earlier;
  std::uint64_t address = 0;  ///< first byte both touched; shared memory: the offset
  bool asynchronous = false;  ///< the earlier access is a copy (cp.async) that was not waited for
};

struct TouchRequest {
  std::uint32_t warp = 0, pc = 0;
  Mask mask = 0;                           ///< lanes that access
  Mask heads = 0xffffffff;                 ///< reads: lanes not in here read what the lane before them reads
  const std::uint64_t *address = nullptr;  ///< 32: global addresses or shared offsets
  std::uint8_t bytes = 4;
  bool reads = true, writes = false, atomic = false, asynchronous = false, weak = true;
  bool release = false;       ///< has release semantics of its own (st.release, atom.acq_rel): fence included
  std::uint8_t together = 0;  ///< a full warp whose lanes lie side by side in groups of 32 or 16; else 0
  /// Stores only: the bytes `lane` is about to write, to tell harmless stores of the same value; null:
  /// unknown.
  void (*value)(const void *context, int lane, std::byte *to) = nullptr;
  const void *context = nullptr;
  std::byte *memory = nullptr;  ///< address 0 of the space in this process (global memory: null)
};

/// The first conflict among the lanes.
struct TouchAnswer {
  std::optional<Conflict> race;
  int lane = -1;
};

/// Global memory of one launch; shared by the host threads that run its blocks.
class GlobalShadow {
public:
  GlobalShadow(Memory &memory, std::uint64_t blocks, std::uint32_t warps_per_block);
  ~GlobalShadow();
  /// False: no addresses left for it, or more threads than it can number: global memory is not watched.
  bool available() const;
  struct State;

private:
  friend class BlockShadow;
  std::unique_ptr<State> state_;
};

/// One resident block: the order of its threads' accesses, and its shared memory. Not thread-safe: a block
/// runs on one host thread.
class BlockShadow {
public:
  /// `global` null: races in global memory are not watched. `races` false: only initialisation of shared
  /// memory.
  BlockShadow(GlobalShadow *global, std::uint32_t shared_bytes, std::uint32_t warps, bool races,
              bool initialised);
  ~BlockShadow();
  void begin(std::uint64_t block);  ///< the next block, by its linear number; before everything else

  /// Before the access happens.
  TouchAnswer touch_shared(const TouchRequest &request);
  TouchAnswer touch_global(const TouchRequest &request);
  /// The first lane that reads bytes nobody wrote since begin(), or -1.
  int unwritten_shared(Mask mask, const std::uint64_t *address, std::uint8_t bytes, std::uint8_t together,
                       std::uint64_t &where) const;
  void write_shared(Mask mask, const std::uint64_t *address, std::uint8_t bytes, std::uint8_t together);

  /// All threads of the block (bar.sync and its kin), or all of the warps named.
  void block_barrier();
  void named_barrier(const std::vector<std::uint32_t> &warps);
  /// bar.warp.sync, shuffles, votes: orders the members' accesses. `live`: all lanes of the warp that run.
  void warp_barrier(std::uint32_t warp, Mask members, Mask live);

  /// membar, fence.*
  void fence(std::uint32_t warp);
  /// Synchronisation that is not an access (mbarriers): what the warp did before is published; what others
  /// published is seen by it.
  void release(std::uint32_t warp);
  void acquire(std::uint32_t warp);

  /// Asynchronous copies of these lanes: close a group; all groups but the newest `left` have arrived.
  void async_commit(std::uint32_t warp, Mask lanes);
  void async_wait(std::uint32_t warp, Mask lanes, unsigned left);

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cupilot::emulate
