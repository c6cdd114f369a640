// SPDX-License-Identifier: Apache-2.0
// The loop that executes steps, and the scheduling of the warp's parts.

#include "evolution/emulate/machine/warp_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace cupilot::emulate::machine {
namespace {

/// Warp instructions of one turn, roughly; a loop that may spin uses its turn up in a few dozen rounds.
constexpr std::int64_t kTurn = 16384;
/// Turns in which a part only loops before the lanes that wait for it at a join go on.
constexpr std::uint32_t kMostTurns = 256;

bool accesses_memory(program::Pipe pipe) {
  switch (pipe) {
    case program::Pipe::load_global:
    case program::Pipe::store_global:
    case program::Pipe::load_shared:
    case program::Pipe::store_shared:
    case program::Pipe::load_local:
    case program::Pipe::store_local:
    case program::Pipe::atomic:
    case program::Pipe::async:
      return true;
    default:
      return false;
  }
}

}  // namespace

WarpRun::WarpRun(Block &of, std::uint32_t warp_index) : frames_(*this) {
  block = &of;
  index = warp_index;
  shared_window = of.launch.windows.shared();
  local_window = of.launch.windows.local();
  chip = of.launch.options.place_seed;
  checked = of.shadow != nullptr || of.launch.options.observer != nullptr;
}

void WarpRun::begin() {
  const LaunchState &launch = block->launch;
  const std::uint32_t threads =
      std::min<std::uint32_t>(program::kLanes, launch.block_threads - index * program::kLanes);
  live = threads == program::kLanes ? ~program::Mask{0} : (program::Mask{1} << threads) - 1;
  active = all_lanes_ = live;
  stop = running_ = false;
  wait_ = Wait::none;
  executed = 0;
  exit_pc = program::kNowhere;
  owed_ = 0;
  patience_ = kTurn;
  parts_.clear();
  free_joins_.clear();
  for (const auto &join : joins_) free_join(join.get());
  reserve_local(launch.local_bytes);  // the launch knows that it is not too much
  entry_frame_ = entry_frame_ ? frames_.renew(entry_frame_) : frames_.take(launch.request.function, 0);
  if (!entry_frame_) {
    record(*this, {.kind = FindingKind::out_of_memory,
                   .pc = launch.entry.begin,
                   .message = "the registers of its warps do not fit into this machine's memory"});
    return;
  }
  entry_frame_->lanes = live;
  add_part(launch.entry.begin, live, entry_frame_, nullptr);
}

bool WarpRun::take_ready_part() {
  for (std::size_t i = parts_.size(); i-- > 0;) {
    if (parts_[i].state != Part::State::ready) continue;
    current = parts_[i];
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i));
    running_ = true;
    if (!parts_.empty()) merge_with_current();
    return true;
  }
  return false;
}

WarpRun::Outcome WarpRun::run() {
  LaunchState &launch = block->launch;
  turn_over_ = false;
  while (true) {
    if (!take_ready_part()) {
      if (!live) return Outcome::finished;
      if (release_for_gathers()) continue;
      return Outcome::blocked;
    }
    if (patience_ <= 0) patience_ = kTurn;
    current.spins = false;
    if (launch.options.observer)
      execute<Watch::observer>();
    else if (launch.options.marks)
      execute<Watch::marks>();
    else
      execute<Watch::nothing>();
    if (launch.ended.load(std::memory_order_relaxed)) return Outcome::ended;
    if (!turn_over_) continue;
    const bool all_spin = std::all_of(parts_.begin(), parts_.end(), [](const Part &part) {
      return part.state != Part::State::ready || part.spins;
    });
    return all_spin ? Outcome::spinning : Outcome::turn_over;
  }
}

void WarpRun::observe(const program::Step &step, program::Mask mask) {
  LaunchState &launch = block->launch;
  ++launch.executed[step.pc];
  launch.options.observer->step(block->slot, index, step.pc, mask);
}

/// After a handler that set `stop`: false when the current part cannot go on now.
bool WarpRun::after_stop(const program::Step &step) {
  stop = false;
  if (block->launch.ended.load(std::memory_order_relaxed)) return running_ = false;
  if (wait_ == Wait::none) return true;
  const Wait wait = wait_;
  wait_ = Wait::none;
  if (wait == Wait::gather) {
    current.pc = step.pc;
    current.state = Part::State::gathering;
    if (try_gather()) return !block->launch.ended;
  } else {
    current.pc = step.pc + 1;
    current.state = Part::State::at_barrier;
  }
  parts_.push_back(current);
  running_ = false;
  if (wait == Wait::barrier) block->barriers.arrive(*this, arrival_);
  return false;
}

void WarpRun::pass_barrier(std::uint32_t barrier) {
  if (parts_.size() == 1) {
    if (parts_[0].state == Part::State::at_barrier && parts_[0].barrier == barrier)
      parts_[0].state = Part::State::ready;
    return;
  }
  std::vector<Part> passed;
  std::erase_if(parts_, [&](const Part &part) {
    const bool passes = part.state == Part::State::at_barrier && part.barrier == barrier;
    if (passes) passed.push_back(part);
    return passes;
  });
  for (Part &part : passed) {
    part.state = Part::State::ready;
    part.turns = 0;
    // Parts that are at the same place go on together.
    const auto same = std::find_if(parts_.begin(), parts_.end(), [&](const Part &other) {
      return other.state == Part::State::ready && other.pc == part.pc && other.frame == part.frame &&
             other.join == part.join;
    });
    if (same != parts_.end())
      same->mask |= part.mask;
    else
      parts_.push_back(part);
  }
}

void WarpRun::wait_at_barrier(const Barriers::Arrival &arrival) {
  wait_ = Wait::barrier;
  arrival_ = arrival;
  current.barrier = arrival.id;
  stop = true;
}

/// At the end of a loop body with no patience left.
void WarpRun::end_turn(const program::Step &branch, bool spins) {
  LaunchState &launch = block->launch;
  turn_over_ = true;
  running_ = false;
  current.spins = spins || slept_;
  slept_ = false;
  if (block->executed + executed > launch.budget)
    report(*this, branch, FindingKind::endless_loop, -1,
           fmt::format("still running after {} instructions of its block", launch.budget));
  launch.out_of_time();
  if (++current.turns > kMostTurns || current.spins)
    for (Join *join = current.join; join; join = join->outer)
      if (join->arrived) release(join);
  constexpr std::uint32_t kMostSpins = 16;
  if (current.spins && current.turns > kMostSpins) break_joins(~program::Mask{0});
  // The other parts run first.
  parts_.insert(parts_.begin(), current);
}

/// For observed launches: the part goes on with the next step after the other warps have had their turn.
void WarpRun::pause(const program::Step &next) {
  current.pc = next.pc;
  parts_.push_back(current);
  running_ = false;
  turn_over_ = true;
}

void WarpRun::report_flow(const program::Step &step) {
  if (step.flow == program::Flow::trap)
    report(*this, step, FindingKind::trap, -1, "the kernel stops itself (trap)");
  else
    report(*this, step, FindingKind::unsupported, -1,
           "cannot be executed: " + block->launch.program.place(step.pc).text);
}

program::Mask WarpRun::guarded(const program::Step &step) {
  if (step.guard_kind == program::GuardKind::none) return active;
  const program::Mask guard = predicate(step.guard);
  return active & (step.guard_kind == program::GuardKind::if_set ? guard : ~guard);
}

/// One step that is not plain; false: no part runs now. `next`: where control goes.
bool WarpRun::flow(const program::Step &step, program::Mask mask, std::uint32_t &next) {
  next = step.pc + 1;
  switch (step.flow) {
    case program::Flow::next:
      if (mask || step.always) step.run(*this, step, mask);
      return !stop || after_stop(step);
    case program::Flow::branch:
      if (mask == current.mask)
        next = static_cast<std::uint32_t>(step.data);
      else if (mask)
        diverge(step, mask);
      return true;
    case program::Flow::indirect_branch:
      return jump_by_index(step, mask, next) && (!stop || after_stop(step));
    case program::Flow::call:
      return call(step, next);
    case program::Flow::ret:
      next = return_from_call();
      return true;
    case program::Flow::join:
      return !current.join || arrive(step);
    case program::Flow::exit:
      if (mask) exit_lanes(mask, step);
      return current.mask != 0;
    case program::Flow::trap:
    case program::Flow::unsupported:
      if (mask) report_flow(step);
      return !mask;
  }
  return true;
}

template <WarpRun::Watch kWatch>
void WarpRun::execute() {
  constexpr bool kObserved = kWatch == Watch::observer;
  const bool marked = kWatch == Watch::marks || (kObserved && block->launch.options.marks != nullptr);
  StepMarks &marks = block->host.marks;
  const program::Program &program = block->launch.program;
  const program::Step *const steps = program.steps.data();
  const program::Step *step = steps + current.pc, *from = step;
  // Instructions are counted per straight-line run, from where control arrived to where it leaves.
  const auto leave = [&] {
    executed += static_cast<std::uint64_t>(step + 1 - from);
    if (marked) marks.ran(from->pc, step->pc + 1);
    running_ = stop = false;
  };
  active = current.mask;
  frame = current.frame->data;
  while (true) {
    if (step->plain) [[likely]] {
      if constexpr (kObserved) observe(*step, active);
      step->run(*this, *step, active);
      if (marked && step->sets_predicate) marks.decided(step->pc, active, predicate(step->at[0]));
      if (marked && step->chooses) marks.decided(step->pc, active, predicate(step->at[3]));
      if (stop) [[unlikely]] {
        if (!after_stop(*step)) return leave();
        active = current.mask;
      }
      if (kObserved && accesses_memory(program.info[step->pc].pipe)) {
        pause(step[1]);
        return leave();
      }
      ++step;
      continue;
    }
    const program::Mask mask = guarded(*step);
    if (kObserved && mask && step->flow != program::Flow::join) observe(*step, mask);
    if (marked && step->guard_kind != program::GuardKind::none) marks.decided(step->pc, active, mask);
    std::uint32_t next = 0;
    if (!flow(*step, mask, next)) return leave();
    active = current.mask;
    if (next == step->pc + 1 && step->flow != program::Flow::call) [[likely]] {
      if (kObserved && mask && accesses_memory(program.info[step->pc].pipe)) {
        pause(step[1]);
        return leave();
      }
      ++step;
      continue;
    }
    const program::Step *const branch = step;
    executed += static_cast<std::uint64_t>(step + 1 - from);
    if (marked) marks.ran(from->pc, step->pc + 1);
    step = from = steps + next;
    frame = current.frame->data;
    const bool calls = branch->flow == program::Flow::call;
    const bool back = step <= branch && !calls && branch->flow != program::Flow::ret;
    if (!back && !calls) continue;
    patience_ -= back ? (branch - step) + branch->at[program::kBranchCost] : 1;
    if (patience_ > 0) continue;
    current.pc = next;
    end_turn(*branch, back && branch->at[program::kBranchCost] > 1);
    running_ = stop = false;
    return;
  }
}

}  // namespace cupilot::emulate::machine
