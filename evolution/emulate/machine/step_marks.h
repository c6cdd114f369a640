// SPDX-License-Identifier: Apache-2.0
//
// What a launch has executed, for the coverage of a variant (session/device_coverage.h). Cheap enough for
// every launch: one store where control jumps, and two for an instruction that decides something. Which code
// that was in the source is worked out afterwards.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::machine {

/// All lists are indexed like Program::steps.
struct StepMarks {
  /// Steps from here up to this one (exclusive) were executed in one go; 0: control never arrived here.
  std::vector<std::uint32_t> reach;
  /// Lanes for which the step's guard, or the predicate that it sets or chooses by, was true, and for which
  /// it was false.
  std::vector<program::Mask> held, failed;

  bool empty() const { return reach.empty(); }
  void resize(std::size_t steps) {
    reach.resize(steps);
    held.resize(steps);
    failed.resize(steps);
  }
  void ran(std::uint32_t from, std::uint32_t end) {
    if (reach[from] < end) reach[from] = end;
  }
  void decided(std::uint32_t pc, program::Mask lanes, program::Mask truth) {
    held[pc] |= lanes & truth;
    failed[pc] |= lanes & ~truth;
  }
  /// Leaves what both have executed and decided.
  void keep_common(const StepMarks &other) {
    StepMarks common;
    common.resize(reach.size());
    std::uint32_t end = 0, other_end = 0;
    for (std::uint32_t pc = 0; pc < other.reach.size() && pc < reach.size(); ++pc) {
      end = std::max(end, reach[pc]);
      other_end = std::max(other_end, other.reach[pc]);
      if (pc < end && pc < other_end) common.ran(pc, pc + 1);
      if (held[pc] && other.held[pc]) common.held[pc] = held[pc] | other.held[pc];
      if (failed[pc] && other.failed[pc]) common.failed[pc] = failed[pc] | other.failed[pc];
    }
    *this = std::move(common);
  }
  /// `other` is of the same program.
  void merge(const StepMarks &other) {
    resize(other.reach.size());
    for (std::uint32_t pc = 0; pc < other.reach.size(); ++pc) {
      ran(pc, other.reach[pc]);
      held[pc] |= other.held[pc];
      failed[pc] |= other.failed[pc];
    }
  }
};

}  // namespace cupilot::emulate::machine
