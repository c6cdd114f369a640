// SPDX-License-Identifier: Apache-2.0
//
// Who touched what last, word by word: shared memory of one block, and global memory of one launch. The rules
// are happens-before by epochs: block barriers, warp barriers, fences with atomics between blocks.
// Filled by machine/ on every access of a checked launch; answers what to report.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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
};

struct TouchRequest {
  std::uint64_t block = 0;
  std::uint32_t warp = 0, pc = 0;
  Mask mask = 0;                           ///< lanes that access
  const std::uint64_t *address = nullptr;  ///< 32: global addresses or shared offsets
  std::uint8_t bytes = 4;
  bool reads = true, writes = false, atomic = false, asynchronous = false, weak = true;
};

/// One block's shared memory. Not thread-safe: a block runs on one host thread.
class SharedShadow {
public:
  SharedShadow(std::uint32_t bytes, std::uint32_t warps, bool races, bool initialised);
  ~SharedShadow();
  void reset();  ///< the next block
  /// The first conflict among the lanes, and the first lane that reads bytes nobody wrote.
  struct Answer {
    std::optional<Conflict> race;
    int race_lane = -1;
    int unwritten_lane = -1;
    std::uint64_t unwritten_address = 0;
  };
  Answer touch(const TouchRequest &request);
  /// All threads of the block (bar.sync 0 and its kin), or of the warps named.
  void block_barrier();
  void named_barrier(const std::vector<std::uint32_t> &warps);
  /// bar.warp.sync, shuffles, votes: orders the members' accesses.
  void warp_barrier(std::uint32_t warp, Mask members);
  /// cp.async groups of these lanes have arrived (cp.async.wait_*): their writes now belong to the lanes.
  void async_arrived(std::uint32_t warp, Mask lanes);

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Global memory of one launch; thread-safe.
class GlobalShadow {
public:
  GlobalShadow(const Memory &memory, std::uint64_t blocks, std::uint32_t warps_per_block);
  ~GlobalShadow();
  std::optional<std::pair<int, Conflict>> touch(const TouchRequest &request);  ///< lane, conflict
  void block_barrier(std::uint64_t block);
  void warp_barrier(std::uint64_t block, std::uint32_t warp, Mask members);
  /// membar.gl / fence.*: with an atomic (or a strong access) before or after it orders blocks, as in the
  /// "last block reduces" pattern and spin locks.
  void fence(std::uint64_t block, std::uint32_t warp, Mask mask);

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cupilot::emulate
