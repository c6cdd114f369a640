// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/machine/barriers.h"

#include <fmt/format.h>

#include <bit>
#include <string>

#include "evolution/emulate/machine/block.h"
#include "evolution/emulate/machine/effects.h"
#include "evolution/emulate/machine/warp_run.h"

namespace cupilot::emulate::machine {
namespace {

const BarrierForm &form_of(const program::Step &step) {
  return *static_cast<const BarrierForm *>(step.detail);
}

std::string name_of(std::uint32_t id) {
  return id == Barriers::kCluster ? "the cluster's barrier" : fmt::format("barrier {}", id);
}

}  // namespace

void Barriers::begin(std::uint32_t threads, std::uint32_t warps) {
  live_ = threads;
  for (State &state : states_) {
    // The sizes are the same for every block of a launch, so memory is allocated only once.
    state.arrived.resize(warps);
    if (state.lanes) state.clear();
  }
}

void Barriers::arrive(WarpRun &warp, const Arrival &arrival) {
  State &state = states_[arrival.id];
  if (!state.first) state.first = arrival.step;
  state.mixed = state.mixed || state.first != arrival.step;
  state.threads = arrival.threads;
  state.lanes += static_cast<std::uint32_t>(std::popcount(arrival.mask & ~state.arrived[warp.index]));
  state.arrived[warp.index] |= arrival.mask;
  state.true_lanes += static_cast<std::uint32_t>(std::popcount(arrival.truth));
  if (complete(state)) pass(arrival.id);
}

void Barriers::lanes_left(WarpRun &, program::Mask mask) {
  live_ -= static_cast<std::uint32_t>(std::popcount(mask));
  for (std::uint32_t id = 0; id < states_.size(); ++id)
    if (states_[id].lanes && complete(states_[id])) pass(id);
}

/// A barrier with a number of threads counts whole warps: a warp that has arrived counts 32, however many
/// lanes it has.
bool Barriers::complete(const State &state) const {
  if (state.threads == 0) return state.lanes >= live_;
  std::uint32_t count = 0;
  for (std::size_t w = 0; w < state.arrived.size(); ++w) {
    const program::Mask arrived = state.arrived[w];
    const bool whole = arrived && (arrived & block_.warps[w]->live) == block_.warps[w]->live;
    count += whole ? program::kLanes : static_cast<std::uint32_t>(std::popcount(arrived));
  }
  return count >= state.threads;
}

void Barriers::pass(std::uint32_t id) {
  State &state = states_[id];
  if (state.mixed) judge_places(id);
  if (state.threads == 0 && live_ < block_.launch.block_threads) judge_missing(state);
  for (const auto &warp : block_.warps) {
    for (const Part &part : warp->parts()) {
      if (part.state != Part::State::at_barrier || part.barrier != id) continue;
      const program::Step &step = block_.launch.program.steps[part.pc - 1];
      const BarrierForm &form = form_of(step);
      if (form.kind == BarrierForm::Kind::popc) {
        auto *to = reinterpret_cast<std::uint32_t *>(part.frame->data + step.at[0]);
        for (program::Mask m = part.mask; m; m &= m - 1) to[std::countr_zero(m)] = state.true_lanes;
      } else if (form.reduces()) {
        const bool holds =
            form.kind == BarrierForm::Kind::all ? state.true_lanes == state.lanes : state.true_lanes != 0;
        auto &to = *reinterpret_cast<std::uint32_t *>(part.frame->data + step.at[0]);
        to = holds ? to | part.mask : to & ~part.mask;
      }
    }
  }
  if (block_.shadow) tell_checks(state);
  state.clear();
  for (const auto &warp : block_.warps) warp->pass_barrier(id);
}

void Barriers::tell_checks(const State &state) {
  if (state.threads == 0) return block_.shadow->block_barrier();
  std::vector<std::uint32_t> warps;
  for (std::uint32_t w = 0; w < state.arrived.size(); ++w)
    if (state.arrived[w]) warps.push_back(w);
  block_.shadow->named_barrier(warps);
}

/// Threads met at different barriers. The same source line counts as the same barrier: compilers unroll and
/// duplicate. All threads must reach the same barrier of the whole block. A named barrier with a number of
/// threads may be at several places, but all lanes of a warp must reach the same one, unless it is
/// barrier.sync without .aligned.
void Barriers::judge_places(std::uint32_t id) {
  const program::Program &program = block_.launch.program;
  const Part *first = nullptr;
  WarpRun *first_warp = nullptr;
  for (const auto &warp : block_.warps) {
    for (const Part &part : warp->parts()) {
      if (part.state != Part::State::at_barrier || part.barrier != id) continue;
      const program::Step &step = program.steps[part.pc - 1];
      const bool comparable =
          first && form_of(step).aligned && (warp.get() == first_warp || states_[id].threads == 0);
      const program::SourcePlace place = program.place(step.pc);
      const program::SourcePlace other = comparable ? program.place(first->pc - 1) : place;
      if (comparable && (place.file != other.file || place.line != other.line)) {
        const int lane = std::countr_zero(part.mask), other_lane = std::countr_zero(first->mask);
        record(*warp, {.kind = FindingKind::divergent_barrier,
                       .pc = step.pc,
                       .lane = lane,
                       .message = "threads of the block meet at different places of " + name_of(id),
                       .other_pc = first->pc - 1,
                       .other_thread = thread_place(*first_warp, other_lane),
                       .fatal = false});
        return;
      }
      if (!first || warp.get() != first_warp) {
        first = &part;
        first_warp = warp.get();
      }
    }
  }
}

/// Threads left the kernel although others still synchronise. The hardware lets the others go on, and so does
/// the emulator; but the language leaves it undefined, and compute-sanitizer's synccheck reports a divergent
/// barrier. There is no finding if nothing is stored after the barrier, because the result is then the same.
void Barriers::judge_missing(const State &state) {
  if (!block_.host.effects) block_.host.effects = std::make_unique<Effects>(block_.launch.program);
  if (!form_of(*state.first).aligned || !block_.host.effects->after(state.first->pc)) return;
  WarpRun *waits = nullptr, *left = nullptr;
  program::Mask gone = 0;
  for (const auto &warp : block_.warps) {
    if (!waits && state.arrived[warp->index]) waits = warp.get();
    const program::Mask missing = warp->all_lanes() & ~warp->live;
    if (left || !missing) continue;
    left = warp.get();
    gone = missing;
  }
  if (!waits || !left) return;
  record(*waits, {.kind = FindingKind::divergent_barrier,
                  .pc = state.first->pc,
                  .lane = std::countr_zero(state.arrived[waits->index]),
                  .message = "waits at a barrier that other threads of the block never reach: they have left "
                             "the kernel",
                  .other_pc = left->exit_pc,
                  .other_thread = thread_place(*left, std::countr_zero(gone)),
                  .fatal = false});
}

}  // namespace cupilot::emulate::machine
