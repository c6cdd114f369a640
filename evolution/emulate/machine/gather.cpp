// SPDX-License-Identifier: Apache-2.0
//
// .sync operations: members arrive one part after the other, and the last one executes the operation for all.
// Parts at different steps with the same operation are executed together, on a frame made of their operands.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "evolution/emulate/machine/warp_run.h"
#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::machine {

bool gather(Warp &warp, const program::Step &, program::Mask mask, program::Mask members) {
  const program::Mask needed = members & warp.live;
  if ((mask & needed) != needed) {
    static_cast<WarpRun &>(warp).wait_for(needed);
    return false;
  }
  if (warp.checked && warp.block->shadow) warp.block->shadow->warp_barrier(warp.index, members, warp.live);
  return true;
}

void WarpRun::wait_for(program::Mask members) {
  wait_ = Wait::gather;
  current.members = members;
  stop = true;
}

namespace {

const ptx::Instruction *instruction_at(const program::Program &program, std::uint32_t pc) {
  const program::StepInfo &info = program.info[pc];
  const ptx::Function &function = program.module->functions[info.function];
  return info.instruction < function.body.size() ? &function.body[info.instruction] : nullptr;
}

bool same_operation(const program::Program &program, std::uint32_t a, std::uint32_t b) {
  if (a == b) return true;
  if (program.steps[a].run != program.steps[b].run || program.steps[a].operands != program.steps[b].operands)
    return false;
  const ptx::Instruction *first = instruction_at(program, a), *second = instruction_at(program, b);
  if (!first || !second || first->opcode != second->opcode) return false;
  // One of the steps runs for both, so everything except the operands must be equal (`!%p`, offsets).
  return program.steps[a].data == program.steps[b].data &&
         std::ranges::equal(first->operands, second->operands, {}, &ptx::Operand::negated,
                            &ptx::Operand::negated);
}

const program::Offset *operands(const program::Step &step) {
  return step.more ? step.more : step.at;
}

/// A temporary frame with one member for each operand of a step.
struct Scratch {
  std::vector<std::byte> storage;
  std::byte *data = nullptr;
  std::vector<program::Offset> at;
};

Scratch make_scratch(const std::vector<program::OperandUse> &uses) {
  Scratch scratch;
  constexpr std::size_t kMember = 512, kAlignment = 64;
  scratch.storage.resize(uses.size() * kMember + kAlignment);
  const auto address = reinterpret_cast<std::uintptr_t>(scratch.storage.data());
  scratch.data = scratch.storage.data() + (kAlignment - address % kAlignment) % kAlignment;
  for (std::size_t i = 0; i < uses.size(); ++i)
    scratch.at.push_back(static_cast<program::Offset>(i * kMember));
  return scratch;
}

void copy_lanes(std::byte *to, const std::byte *from, unsigned bits, program::Mask mask) {
  if (bits == 1) {
    program::Mask old, fresh;
    std::memcpy(&old, to, sizeof old);
    std::memcpy(&fresh, from, sizeof fresh);
    old = (old & ~mask) | (fresh & mask);
    std::memcpy(to, &old, sizeof old);
    return;
  }
  const std::size_t bytes = std::min<std::size_t>(bits / 8, 8);
  for (; mask; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(mask));
    std::memcpy(to + lane * bytes, from + lane * bytes, bytes);
    if (bits == 128) std::memcpy(to + 256 + lane * bytes, from + 256 + lane * bytes, bytes);
  }
}

}  // namespace

/// The current part waits at its step. Returns true when all members have arrived and the operation is done;
/// the current part is then after the step.
bool WarpRun::try_gather() {
  const program::Program &program = block->launch.program;
  program::Mask here = current.mask, needed = current.members & live;
  std::vector<std::size_t> others;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part &part = parts_[i];
      if (part.state != Part::State::gathering || !(part.mask & needed) || (part.mask & here) == part.mask)
        continue;
      if (!same_operation(program, current.pc, part.pc)) continue;
      here |= part.mask;
      needed |= part.members & live;
      others.push_back(i);
      more = true;
    }
  }
  if ((here & needed) != needed) return false;
  owed_ &= ~here;
  const bool one_step = std::all_of(others.begin(), others.end(), [&](std::size_t i) {
    return parts_[i].pc == current.pc && parts_[i].frame == current.frame;
  });
  if (one_step)
    run_together(here);
  else
    run_apart(others, here);
  for (const std::size_t i : others) {
    parts_[i].pc += 1;
    parts_[i].state = Part::State::ready;
  }
  current.pc += 1;
  current.state = Part::State::ready;
  merge_with_current();
  return true;
}

void WarpRun::run_together(program::Mask here) {
  const program::Step &step = block->launch.program.steps[current.pc];
  active = here;
  step.run(*this, step, here);
  active = current.mask;
}

void WarpRun::run_apart(const std::vector<std::size_t> &others, program::Mask here) {
  const program::Program &program = block->launch.program;
  const program::Step &own = program.steps[current.pc];
  const std::vector<program::OperandUse> &uses = program.info[current.pc].uses;
  Scratch scratch = make_scratch(uses);
  const auto exchange = [&](const Part &part, bool in) {
    const program::Offset *at = operands(program.steps[part.pc]);
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (at[i] == program::kNowhere || (!in && !uses[i].defined)) continue;
      std::byte *outside = part.frame->data + at[i], *inside = scratch.data + scratch.at[i];
      copy_lanes(in ? inside : outside, in ? outside : inside, uses[i].bits, part.mask);
    }
  };
  exchange(current, true);
  for (const std::size_t i : others) exchange(parts_[i], true);
  program::Step step = own;
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (operands(own)[i] == program::kNowhere) scratch.at[i] = program::kNowhere;
  std::copy_n(scratch.at.begin(), std::min(scratch.at.size(), std::size(step.at)), step.at);
  if (step.more) step.more = scratch.at.data();
  frame = scratch.data;
  active = here;
  step.run(*this, step, here);
  active = current.mask;
  frame = current.frame->data;
  exchange(current, false);
  for (const std::size_t i : others) exchange(parts_[i], false);
}

/// Merges parts that are at the same step with the same joins into the current part.
void WarpRun::merge_with_current() {
  std::erase_if(parts_, [&](const Part &part) {
    const bool same = part.state == Part::State::ready && part.pc == current.pc &&
                      part.frame == current.frame && part.join == current.join;
    if (same) current.mask |= part.mask;
    return same;
  });
}

/// True when the only remaining effect at `pc` is to leave the kernel.
bool WarpRun::leaves_at_once(std::uint32_t pc) const {
  const std::vector<program::Step> &steps = block->launch.program.steps;
  while (pc < steps.size() && steps[pc].flow == program::Flow::join) ++pc;
  if (pc >= steps.size() || steps[pc].guard_kind != program::GuardKind::none) return false;
  return steps[pc].flow == program::Flow::exit || steps[pc].flow == program::Flow::ret;
}

/// Reports lanes that are members of an operation at which others wait, went past it and now leave the
/// kernel. Lanes that return early are not an error: the operation does not wait for members that have left.
void WarpRun::report_absent(program::Mask leaving) {
  for (const Part &part : parts_) {
    const program::Mask absent = part.members & leaving;
    if (part.state != Part::State::gathering || !absent) continue;
    const bool barrier = block->launch.program.place(part.pc).text.starts_with("bar");
    record(*this,
           {.kind = barrier ? FindingKind::divergent_barrier : FindingKind::bad_shuffle_mask,
            .pc = part.pc,
            .lane = std::countr_zero(part.mask),
            .message = fmt::format("its member mask names lane {}, which goes past it and leaves the kernel",
                                   std::countr_zero(absent))});
    return;
  }
}

/// Releases lanes that wait at a join for lanes that wait for them in an operation.
bool WarpRun::release_for_gathers() {
  program::Mask missing = 0, waiting = 0;
  for (const Part &part : parts_) {
    if (part.state != Part::State::gathering) continue;
    missing |= part.members & live;
    waiting |= part.mask;
  }
  missing &= ~waiting;
  for (const auto &join : joins_)
    if ((join->arrived & missing) != 0 && !leaves_at_once(join->pc)) owed_ |= join->arrived & missing;
  return missing && break_joins(missing);
}

}  // namespace cupilot::emulate::machine
