// SPDX-License-Identifier: Apache-2.0
// Divergence and reconvergence of a warp's lanes.

#include <fmt/format.h>

#include <cstring>

#include "evolution/emulate/machine/warp_run.h"

namespace cupilot::emulate::machine {

Join *WarpRun::new_join(std::uint32_t pc, Frame *at_frame, Join *outer, program::Mask members) {
  Join *join = nullptr;
  if (free_joins_.empty()) {
    joins_.push_back(std::make_unique<Join>());
    join = joins_.back().get();
  } else {
    join = free_joins_.back();
    free_joins_.pop_back();
  }
  *join = {pc, at_frame, outer, members, 0};
  return join;
}

void WarpRun::free_join(Join *join) {
  *join = {};
  free_joins_.push_back(join);
}

void WarpRun::add_part(std::uint32_t pc, program::Mask mask, Frame *at_frame, Join *join) {
  parts_.push_back({.pc = pc, .mask = mask, .frame = at_frame, .join = join});
}

/// The join for a branch of the current part: loops whose lanes leave one by one share a single join.
Join *WarpRun::join_for(std::uint32_t pc) {
  Join *join = current.join;
  if (pc == program::kNowhere || (join && join->pc == pc && join->frame == current.frame)) return join;
  return new_join(pc, current.frame, join, current.mask);
}

void WarpRun::send(std::uint32_t pc, program::Mask mask, Join *join) {
  if (join && join->pc == pc && join->frame == current.frame)
    join->arrived |= mask;
  else
    add_part(pc, mask, current.frame, join);
}

/// The lanes that take the branch become a part of their own; the current part falls through.
void WarpRun::diverge(const program::Step &step, program::Mask taken) {
  Join *join = join_for(step.at[program::kBranchJoin]);
  send(static_cast<std::uint32_t>(step.data), taken, join);
  current.mask &= ~taken;
  current.join = join;
}

/// brx.idx; true: the lanes of `mask` all go to `next`.
bool WarpRun::jump_by_index(const program::Step &step, program::Mask mask, std::uint32_t &next) {
  const program::BranchSite &site = *static_cast<const program::BranchSite *>(step.detail);
  const auto *entry = lanes<std::uint32_t>(step.at[0]);
  program::Mask rest = mask;
  Join *join = nullptr;
  while (rest) {
    const int first = __builtin_ctz(rest);
    if (entry[first] >= site.targets.size()) {
      report(*this, step, FindingKind::trap, first,
             fmt::format("jumps to entry {} of a table of {} targets", entry[first], site.targets.size()));
      return true;
    }
    const std::uint32_t target = site.targets[entry[first]];
    program::Mask same = 0;
    for (program::Mask m = rest; m; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      if (entry[lane] < site.targets.size() && site.targets[entry[lane]] == target)
        same |= program::Mask{1} << lane;
    }
    if (same == current.mask) {
      next = target;
      return true;
    }
    if (!join) join = join_for(site.join);
    send(target, same, join);
    rest &= ~same;
  }
  return false;
}

/// At a join step: false when the current part ends here, because it waits for others.
bool WarpRun::arrive(const program::Step &step) {
  while (true) {
    Join *join = current.join;
    while (join && join->frame == current.frame && join->pc != step.pc) join = join->outer;
    if (!join || join->frame != current.frame) return true;
    leave_joins(current.join, join, current.mask);
    join->arrived |= current.mask;
    if (join->arrived != join->members) {
      running_ = false;
      return false;
    }
    current.mask = join->members;
    current.join = join->outer;
    free_join(join);
  }
}

/// These lanes will not arrive at the joins from `from` up to `until`; lanes that waited only for them go on.
void WarpRun::leave_joins(Join *from, const Join *until, program::Mask mask) {
  for (Join *join = from; join != until;) {
    Join *outer = join->outer;
    join->members &= ~mask;
    if (join->members == join->arrived) {
      if (join->arrived) add_part(join->pc, join->arrived, join->frame, outer);
      free_join(join);
    }
    join = outer;
  }
}

void WarpRun::exit_lanes(program::Mask mask, const program::Step &step) {
  exit_pc = step.pc;
  if (mask & owed_) report_absent(mask & owed_);
  leave_joins(current.join, nullptr, mask);
  for (Frame *each = current.frame; each; each = each->caller) leave_frame(each, mask);
  live &= ~mask;
  current.mask &= ~mask;
  // Parts that waited for the lanes that left check again.
  for (Part &part : parts_)
    if (part.state == Part::State::gathering) part.state = Part::State::ready;
  block->barriers.lanes_left(*this, mask);
}

void WarpRun::leave_frame(Frame *at_frame, program::Mask mask) {
  at_frame->lanes &= ~mask;
  if (!at_frame->lanes && at_frame->caller) frames_.give_back(at_frame);
}

/// The lanes that wait at a join go on without the others.
void WarpRun::release(Join *join) {
  add_part(join->pc, join->arrived, join->frame, join->outer);
  join->members &= ~join->arrived;
  join->arrived = 0;
}

void WarpRun::keep_only(const program::Step &step, program::Mask mask) {
  add_part(step.pc, current.mask & ~mask, current.frame, current.join);
  current.mask = active = mask;
}

bool WarpRun::break_joins(program::Mask needed) {
  bool any = false;
  for (std::size_t i = 0; i < joins_.size(); ++i) {
    if ((joins_[i]->arrived & needed) == 0) continue;
    release(joins_[i].get());
    any = true;
  }
  return any;
}

}  // namespace cupilot::emulate::machine
