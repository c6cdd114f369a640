// SPDX-License-Identifier: Apache-2.0
// A block: its memory, its warps' turns, and what to do when none of them can go on.

#include "evolution/emulate/machine/block.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <new>

#include "evolution/emulate/machine/warp_run.h"

namespace cupilot::emulate::machine {

Block::Block(LaunchState &launch_state, HostThread &host_thread, unsigned slot_number)
    : launch(launch_state), host(host_thread), slot(slot_number) {
  constexpr std::size_t kAlignment = 1024;
  storage_ = std::make_unique<std::byte[]>(launch.shared_bytes + kAlignment);
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.get());
  shared = storage_.get() + (kAlignment - address % kAlignment) % kAlignment;
  const Checks &checks = launch.options.checks;
  if (checks.races || checks.initialised)
    shadow = std::make_unique<check::BlockShadow>(launch.global_shadow.get(), launch.shared_bytes,
                                                  launch.block_warps, checks.races, checks.initialised);
  for (std::uint32_t w = 0; w < launch.block_warps; ++w) warps.push_back(std::make_unique<WarpRun>(*this, w));
}

Block::~Block() = default;

void Block::begin(std::uint64_t block) {
  number = block;
  index = thread_place(launch, block, 0).block;
  executed = spins_ = 0;
  states.clear();
  std::memset(shared, memory::Memory::kPoisonByte, launch.shared_bytes);
  if (shadow) shadow->begin(block);
  barriers.begin(launch.block_threads, launch.block_warps);
  for (const auto &warp : warps) warp->begin();
}

Block::Outcome Block::turn() {
  using Result = WarpRun::Outcome;
  bool alive = false, ran = false, spins = false, runs = false;
  for (const auto &warp : warps) {
    if (!warp->live) continue;
    const std::uint64_t before = warp->executed;
    const Result result = warp->run();
    executed += warp->executed - before;
    if (result == Result::ended) return Outcome::ended;
    ran = ran || warp->executed != before || result == Result::finished;
    alive = alive || result != Result::finished;
    spins = spins || result == Result::spinning;
    runs = runs || result == Result::turn_over || (result == Result::blocked && warp->executed != before);
  }
  // A barrier that the last warp completed may have released a warp that had its turn before.
  if (!alive) return Outcome::finished;
  if (!ran && !break_deadlock()) return Outcome::ended;
  if (runs || !spins) {
    spins_ = 0;
    return Outcome::running;
  }
  // The thread they wait for may itself wait at a join for one of them.
  constexpr std::uint64_t kMostSpins = 64;
  if (++spins_ % kMostSpins == 0)
    for (const auto &warp : warps) warp->break_joins(~program::Mask{0});
  return Outcome::spinning;
}

/// Called when no warp can go on. Lanes that wait at a join for lanes at a barrier (or in an operation) are
/// released, because the language guarantees progress to each thread independently.
bool Block::break_deadlock() {
  bool any = false;
  for (const auto &warp : warps) any = warp->break_joins(~program::Mask{0}) || any;
  if (!any) report_deadlock();
  return any;
}

namespace {

std::string lanes_text(program::Mask mask) {
  std::string text;
  for (; mask; mask &= mask - 1) text += fmt::format("{}{}", text.empty() ? "" : ",", std::countr_zero(mask));
  return text;
}

struct Waiting {
  WarpRun *warp = nullptr;
  const Part *part = nullptr;
  int lane() const { return std::countr_zero(part->mask); }
};

void report_gathering(const Waiting &waiting) {
  const auto &[warp, part] = waiting;
  const program::Mask missing = part->members & warp->live & ~part->mask;
  const bool barrier = warp->block->launch.program.place(part->pc).text.starts_with("bar");
  record(*warp, {.kind = barrier ? FindingKind::divergent_barrier : FindingKind::bad_shuffle_mask,
                 .pc = part->pc,
                 .lane = waiting.lane(),
                 .message = fmt::format("waits for lanes {} that its member mask names and that never come",
                                        lanes_text(missing))});
}

void report_two_barriers(const Waiting &one, const Waiting &other) {
  record(*one.warp,
         {.kind = FindingKind::divergent_barrier,
          .pc = one.part->pc - 1,
          .lane = one.lane(),
          .message = fmt::format("waits at barrier {} while others wait at barrier {}: neither can pass",
                                 one.part->barrier, other.part->barrier),
          .other_pc = other.part->pc - 1,
          .other_thread = thread_place(*other.warp, other.lane())});
}

void report_too_few(const Waiting &waiting, const Barriers::State &state, std::uint32_t live) {
  const std::uint32_t wanted = state.threads ? state.threads : live;
  record(*waiting.warp, {.kind = FindingKind::divergent_barrier,
                         .pc = waiting.part->pc - 1,
                         .lane = waiting.lane(),
                         .message = fmt::format("waits at barrier {} for {} threads; only {} come",
                                                waiting.part->barrier, wanted, state.lanes)});
}

}  // namespace

void Block::report_deadlock() {
  Waiting first;
  for (const auto &warp : warps) {
    for (const Part &part : warp->parts()) {
      const Waiting waiting{warp.get(), &part};
      if (part.state == Part::State::gathering) return report_gathering(waiting);
      if (part.state != Part::State::at_barrier) continue;
      if (first.part && first.part->barrier != part.barrier) return report_two_barriers(waiting, first);
      if (!first.part) first = waiting;
    }
  }
  if (first.part) return report_too_few(first, barriers.state(first.part->barrier), barriers.live());
  // This is an error of the emulator and not of the kernel, but it must not end the process.
  record(*warps.front(), {.kind = FindingKind::divergent_barrier,
                          .pc = launch.entry.begin,
                          .message = "no thread of the block can go on"});
}

}  // namespace cupilot::emulate::machine
