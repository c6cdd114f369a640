// SPDX-License-Identifier: Apache-2.0
//
// Records what executed blocks did, for each warp: the steps in order, and the memory requests of each
// access.

#pragma once

#include <atomic>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "evolution/emulate/estimate/requests.h"
#include "evolution/emulate/machine/observer.h"
#include "evolution/emulate/memory/memory.h"
#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::estimate {

/// Adjacent chunks of this size are in different slices of the L2 (measured on GH100).
inline constexpr std::uint64_t kSliceBytes = 512;
inline constexpr std::uint32_t kNoAccess = 0xffffffff;

struct Event {
  std::uint32_t pc = 0, access = kNoAccess;
};

struct Request {
  ptx::Space space = ptx::Space::global;
  bool write = false, atomic = false, asynchronous = false, floating = false;
  std::uint8_t bytes = 4;       ///< bytes of one lane
  std::uint8_t lanes = 0;       ///< number of lanes that take part
  std::uint8_t wavefronts = 1;  ///< passes of shared memory or the L1
  std::uint8_t lines = 0;       ///< global
  std::uint8_t sectors = 0;     ///< global: number of sectors, in Trace::sectors from `first` on
  std::uint8_t words = 0;       ///< shared: number of different words
  std::uint8_t partial = 0;     ///< global writes: sectors that are only partly written
  std::uint8_t same = 1;        ///< atomics: lanes on the busiest address
  std::uint32_t first = 0;
  std::uint32_t fresh = 0;  ///< one bit per sector (the first 32): no earlier access of the block touched it
  std::uint32_t aligned = 0;  ///< shared: alignment of the lowest address in bytes, at most 16
};

struct WarpTrace {
  std::vector<Event> events;
};

struct BlockTrace {
  std::uint64_t block = 0;
  bool finished = false;
  std::vector<WarpTrace> warps;
  std::size_t events = 0;
};

struct Trace {
  std::vector<BlockTrace> blocks;
  std::vector<Request> requests;
  std::vector<std::uint64_t> sectors;
  /// Atomics of global memory, by chunk of kSliceBytes; one slice of the L2 processes those of a chunk one
  /// after the other.
  struct Contended {
    double integers = 0, floats = 0;  ///< number of serial operations
    std::uint64_t last_block = ~0ull;
    unsigned blocks = 0;
  };
  std::unordered_map<std::uint64_t, Contended> atomics;
};

/// Fills a Trace; sets `full` when the trace has more than `most_events` events.
class Tracer : public machine::Observer {
public:
  Tracer(Trace &trace, const program::Program &program, std::size_t most_events);
  void block_begins(std::uint64_t block, unsigned slot, unsigned warps) override;
  void block_ends(std::uint64_t block, unsigned slot) override;
  void step(unsigned slot, unsigned warp, std::uint32_t pc, program::Mask mask) override;
  void access(unsigned slot, unsigned warp, std::uint32_t pc, const machine::AccessSeen &access) override;

  std::atomic<bool> full = false;

private:
  void add_global(Request &request, const machine::AccessSeen &access);
  void add_atomic(Request &request, const machine::AccessSeen &access, std::uint64_t block, bool floating);

  Trace &trace_;
  std::vector<bool> floating_;  ///< by pc: whether it is an atomic of a floating type
  std::size_t most_events_, events_ = 0;
  std::vector<std::size_t> block_of_slot_;
  std::unordered_set<std::uint64_t> touched_;  ///< by the running block; blocks run one at a time
};

}  // namespace cupilot::emulate::estimate
