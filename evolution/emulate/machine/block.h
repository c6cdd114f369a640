// SPDX-License-Identifier: Apache-2.0
//
// A block while it runs: its warps, its shared and local memory, and its barriers. Private to machine/.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "evolution/emulate/check/shadow.h"
#include "evolution/emulate/machine/barriers.h"
#include "evolution/emulate/machine/launch_state.h"
#include "evolution/emulate/machine/warp.h"

namespace cupilot::emulate::machine {

/// The first bytes of shared memory belong to the system: cooperative groups keep their barriers there.
inline constexpr std::uint32_t kReservedShared = 1024;

class WarpRun;

class Block {
public:
  Block(LaunchState &launch_state, HostThread &host_thread, unsigned slot_number);
  ~Block();
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  LaunchState &launch;
  HostThread &host;
  const unsigned slot;       ///< its index among the resident blocks of the launch, for observers
  std::uint64_t number = 0;  ///< linear block index
  std::array<std::uint32_t, 3> index{};
  std::byte *shared = nullptr;                 ///< launch.shared_bytes bytes, 1024-byte aligned
  std::unique_ptr<check::BlockShadow> shadow;  ///< null unless races or initialisation are watched
  std::map<const void *, std::unique_ptr<BlockState>> states;
  Barriers barriers{*this};
  std::vector<std::unique_ptr<WarpRun>> warps;
  std::uint64_t executed = 0;  ///< warp instructions executed so far

  void begin(std::uint64_t block);
  enum class Outcome : std::uint8_t { finished, running, spinning, ended };
  /// Runs every warp until it waits or its turn is over.
  Outcome turn();

private:
  bool break_deadlock();
  void report_deadlock();
  std::unique_ptr<std::byte[]> storage_;
  std::uint64_t spins_ = 0;  ///< consecutive turns in which all warps only spun
};

/// Local memory of a lane, `local_bytes(warp)` bytes. Local addresses are offsets into it.
inline std::byte *local_memory(Warp &warp, int lane) {
  return warp.local + static_cast<std::size_t>(lane) * warp.local_bytes;
}

/// The thread of a lane, for findings.
ThreadPlace thread_place(const Warp &warp, int lane);
ThreadPlace thread_place(const LaunchState &launch, std::uint64_t block, std::uint32_t thread);

/// A report in full: report() and the functions like it fill one in. `pc` may differ from the warp's current
/// step.
struct Report {
  FindingKind kind = FindingKind::trap;
  std::uint32_t pc = 0;
  int lane = -1;
  std::string message;
  std::uint32_t other_pc = program::kNowhere;
  std::optional<ThreadPlace> other_thread;
  bool fatal = true;
};
void record(Warp &warp, Report report);

/// report() that also names the other access of a race.
void report_conflict(Warp &warp, const program::Step &step, FindingKind kind, int lane, std::string message,
                     const check::Toucher &other);

}  // namespace cupilot::emulate::machine
