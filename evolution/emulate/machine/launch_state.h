// SPDX-License-Identifier: Apache-2.0
//
// What all blocks of one launch share, whichever host thread runs them, and what each host thread keeps for
// itself. Private to machine/.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "evolution/emulate/check/shadow.h"
#include "evolution/emulate/machine/effects.h"
#include "evolution/emulate/machine/launch.h"

namespace cupilot::emulate {

/// Findings of all host threads. The same kind at the same place (and the same other party) is counted.
class FindingSink {
public:
  explicit FindingSink(std::size_t most) : most_(most) {}
  /// False: there are too many now, the launch has to end.
  bool add(Finding finding, std::uint32_t pc, std::uint32_t other_pc);
  std::vector<Finding> take();

private:
  std::mutex mutex_;
  std::size_t most_;
  std::vector<Finding> findings_;
  std::map<std::tuple<FindingKind, std::uint32_t, std::uint32_t>, std::size_t> at_;
};

/// An allocation that a memory step found last time: [begin, end) is live and writable unless `read_only`.
struct CachedRange {
  std::uint64_t begin = 1, end = 0;
  bool read_only = false;
  const Allocation *tracked = nullptr;  ///< set when the allocation remembers which bytes were written
};

/// A special register of a function's frame, by what it takes to fill it; see specials.h.
struct SpecialPlace {
  int kind = 0;
  Offset offset = 0;
  std::uint8_t bits = 32;
};
/// A function's frame as every warp of this launch gets it.
struct FrameTemplate {
  struct Constant {
    Offset offset = 0;
    std::uint8_t bits = 32;
    bool local = false;  ///< the frame's place in local memory is added
    std::uint64_t value = 0;
  };
  std::vector<Constant> constants;
  std::vector<SpecialPlace> of_warp, of_block;  ///< the latter change from block to block
};

struct LaunchState {
  const Program &program;
  LoadedProgram &loaded;
  Memory &memory;
  const LaunchRequest &request;
  const LaunchOptions &options;
  const FunctionCode &entry;
  FindingSink findings;
  std::unique_ptr<GlobalShadow> global_shadow;  ///< null unless races are watched
  std::uint64_t parameters = 0;  ///< device address of the parameter buffer, a read-only allocation
  std::uint32_t block_threads = 0, block_warps = 0;
  std::uint64_t grid_blocks = 0;
  std::uint32_t static_shared = 0;   ///< reserved part and static variables
  std::uint32_t shared_bytes = 0;    ///< in all: dynamic memory stands at the end
  std::uint32_t dynamic_offset = 0;  ///< where dynamic shared memory starts
  std::atomic<bool> ended{false};    ///< a fatal finding, the deadline, or `stop`: everybody gives up
  std::atomic<bool> incomplete{false};
  std::atomic<std::uint64_t> freed{0};  ///< device free() so far: cached ranges older than that are void
  std::atomic<std::uint64_t> heap_used{0};
  std::mutex print_mutex;
  std::vector<FrameTemplate> templates;  ///< beside Program::functions; empty where not reached
  std::uint32_t local_bytes = 0;         ///< of one thread, when nothing recurses
  std::uint64_t budget = 0;              ///< warp instructions of one block
  std::atomic<std::uint64_t> warp_instructions{0};
  std::vector<std::uint64_t> executed;  ///< by pc, observed launches only

  /// Looks at the clock and at LaunchOptions::stop.
  bool out_of_time();
};

/// Of one host thread; blocks are created and run by one.
struct HostThread {
  std::vector<CachedRange> ranges;   ///< beside Program::steps
  std::uint64_t freed = 0;           ///< LaunchState::freed when `ranges` was last cleared
  std::unique_ptr<Effects> effects;  ///< made on first use
};

}  // namespace cupilot::emulate
