// SPDX-License-Identifier: Apache-2.0
//
// One kernel launch on the CPU. Blocks are spread over host threads, and the warps of a block take turns.
// Nothing that a kernel does can end this process: a fault becomes a finding and ends the launch.

#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "evolution/emulate/machine/finding.h"
#include "evolution/emulate/machine/observer.h"
#include "evolution/emulate/machine/shared_use.h"
#include "evolution/emulate/machine/step_marks.h"
#include "evolution/emulate/memory/memory.h"
#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::machine {

struct Checks {
  bool races = false;        ///< shared and global memory
  bool initialised = false;  ///< shared memory, and allocations made with `track`
  // Bounds, alignment, barriers, shuffle masks and endless loops are always checked.
};

struct LaunchOptions {
  Checks checks;
  unsigned threads = 0;  ///< host threads; 0: all cores
  /// Most warp instructions of one block, then endless_loop is reported; 0: 2^32.
  std::uint64_t instruction_budget = 0;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  bool reversed = false;                   ///< blocks run in descending order
  std::vector<std::uint64_t> only_blocks;  ///< empty: all; linear indices, run in this order
  unsigned resident_blocks = 1;  ///< blocks that run together on one host thread; their warps take turns
  /// What a GPU chooses is drawn with it: where blocks and warps run (%smid, %warpid), the launch's number
  /// (%gridid), where the windows of shared and local memory lie, and the last bits of approximations; 0: in
  /// order, at fixed addresses, and nearly exact.
  std::uint64_t place_seed = 0;
  /// When set, one host thread runs the launch, and warps take turns at each memory access.
  Observer *observer = nullptr;
  /// When set, what the launch executes is added to it.
  StepMarks *marks = nullptr;
  std::size_t most_findings = 64;  ///< the launch ends after this many different findings
  /// Receives the output of device printf; default: stdout of this process.
  std::function<void(std::string_view)> print;
  std::uint64_t heap_bytes = 8 << 20;  ///< the heap of device malloc
  const std::atomic<bool> *stop = nullptr;
};

struct LaunchRequest {
  std::uint32_t function = 0;  ///< an entry of the loaded program
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t multiprocessors = 0;  ///< the device's count, for %nsmid and %smid; 0: one for each block
  /// Address of the 8 zeroed bytes of device memory through which the blocks of a cooperative launch
  /// synchronise (%envreg1 and 2). 0: the launch is not cooperative.
  std::uint64_t grid_workspace = 0;
  std::span<const std::byte> parameters;  ///< FunctionCode::parameter_bytes
};

struct LaunchResult {
  std::vector<Finding> findings;
  bool completed = false;  ///< every requested block ran to its end
  std::uint64_t warp_instructions = 0;
  std::uint64_t flushed = 0;  ///< subnormal numbers that float atomics in global memory turned into zero
  std::vector<std::uint64_t> executed;  ///< by pc: how often a warp executed it (observed launches only)
};

/// A decoded program whose global and constant variables are allocated in `memory` until it is unloaded.
/// Addresses are by index in module->variables.
class LoadedProgram {
public:
  static Result<std::shared_ptr<LoadedProgram>> load(std::shared_ptr<const program::Program> program,
                                                     memory::Memory &memory);
  ~LoadedProgram();
  const std::shared_ptr<const program::Program> program;
  std::vector<std::uint64_t> variables;
  /// Made when it is first asked for.
  const SharedUse &shared_use();

private:
  LoadedProgram(std::shared_ptr<const program::Program> p, memory::Memory &memory)
      : program(std::move(p)), memory_(memory) {}
  memory::Memory &memory_;
  std::once_flag looked_;
  SharedUse shared_use_;
};

/// Runs until all blocks have ended, the deadline has passed, `stop` is set, or there are too many findings.
LaunchResult launch(LoadedProgram &program, memory::Memory &memory, const LaunchRequest &request,
                    const LaunchOptions &options);

}  // namespace cupilot::emulate::machine
