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
#include "evolution/emulate/machine/windows.h"

namespace cupilot::emulate::machine {

/// Collects the findings of all host threads. Findings of the same kind at the same place (and with the same
/// other place) are counted as one.
class FindingSink {
public:
  explicit FindingSink(std::size_t most) : most_(most) {}
  /// Returns false when there are too many findings and the launch has to end.
  bool add(Finding finding, std::uint32_t pc, std::uint32_t other_pc);
  std::vector<Finding> take();

private:
  std::mutex mutex_;
  std::size_t most_;
  std::vector<Finding> findings_;
  std::map<std::tuple<FindingKind, std::uint32_t, std::uint32_t>, std::size_t> at_;
};

/// The allocation that a memory step used last. [begin, end) is live, and writable unless `read_only`.
struct CachedRange {
  std::uint64_t begin = 1, end = 0;
  bool read_only = false;
  const memory::Allocation *tracked =
      nullptr;  ///< set when the allocation remembers which bytes were written
};

/// A special register in a function's frame, with what is needed to fill it; see specials.h.
struct SpecialPlace {
  int kind = 0;
  program::Offset offset = 0;
  std::uint8_t bits = 32;
};
/// The initial contents of a function's frame, the same for every warp of this launch.
struct FrameTemplate {
  struct Constant {
    program::Offset offset = 0;
    std::uint8_t bits = 32;
    bool local = false;  ///< the frame's offset in local memory is added to the value
    std::uint64_t value = 0;
  };
  std::vector<Constant> constants;
  std::vector<SpecialPlace> of_warp, of_block;  ///< those of `of_block` change from block to block
};

struct LaunchState {
  const program::Program &program;
  LoadedProgram &loaded;
  memory::Memory &memory;
  const LaunchRequest &request;
  const LaunchOptions &options;
  const program::FunctionCode &entry;
  FindingSink findings;
  std::unique_ptr<check::GlobalShadow> global_shadow;  ///< null unless races are watched
  const SharedUse *shared_use = nullptr;               ///< null unless races are watched
  const Windows windows{options.place_seed};
  std::uint64_t parameters = 0;  ///< device address of the parameter buffer, a read-only allocation
  std::uint32_t block_threads = 0, block_warps = 0;
  std::uint64_t grid_blocks = 0;
  std::uint32_t static_shared = 0;   ///< bytes of the reserved part and the static variables
  std::uint32_t shared_bytes = 0;    ///< total bytes; dynamic shared memory is at the end
  std::uint32_t dynamic_offset = 0;  ///< where dynamic shared memory starts
  std::atomic<bool> ended{false};    ///< a fatal finding, the deadline or `stop`: all host threads stop
  std::atomic<bool> incomplete{false};
  std::atomic<std::uint64_t> freed{0};  ///< device free() calls; older cached ranges are invalid
  std::atomic<std::uint64_t> heap_used{0};
  std::mutex print_mutex, marks_mutex;
  /// Indexed like Program::functions; empty for functions that are not reached.
  std::vector<FrameTemplate> templates;
  std::uint32_t local_bytes = 0;  ///< local memory of one thread if there is no recursion
  std::uint64_t budget = 0;       ///< warp instructions of one block
  std::atomic<std::uint64_t> warp_instructions{0};
  std::atomic<std::uint64_t> flushed{0};  ///< LaunchResult::flushed
  std::vector<std::uint64_t> executed;    ///< times a warp executed each pc; observed launches only

  /// True when the deadline has passed or LaunchOptions::stop is set.
  bool out_of_time();
};

/// The state of one host thread. A block is created and run by a single host thread.
struct HostThread {
  std::vector<CachedRange> ranges;   ///< indexed like Program::steps
  std::uint64_t freed = 0;           ///< LaunchState::freed when `ranges` was last cleared
  std::unique_ptr<Effects> effects;  ///< made on first use
  StepMarks marks;                   ///< empty unless LaunchOptions::marks is set
};

}  // namespace cupilot::emulate::machine
