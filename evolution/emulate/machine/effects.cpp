// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/machine/effects.h"

#include <vector>

namespace cupilot::emulate::machine {
namespace {

bool has_effect(const program::Step &step, program::Pipe pipe) {
  if (step.flow == program::Flow::call) return true;
  return pipe == program::Pipe::store_global || pipe == program::Pipe::store_shared ||
         pipe == program::Pipe::atomic || pipe == program::Pipe::async;
}

}  // namespace

bool Effects::after(std::uint32_t pc) {
  const auto [found, fresh] = known_.try_emplace(pc, false);
  if (fresh) found->second = search(pc);
  return found->second;
}

bool Effects::search(std::uint32_t pc) const {
  const program::FunctionCode &code = program_.functions[program_.info[pc].function];
  if (!code.source->entry) return true;  // its caller goes on
  std::vector<bool> seen(code.end - code.begin, false);
  std::vector<std::uint32_t> next;
  const auto visit = [&](std::uint32_t to) {
    if (to < code.begin || to >= code.end || seen[to - code.begin]) return;
    seen[to - code.begin] = true;
    next.push_back(to);
  };
  visit(pc + 1);
  while (!next.empty()) {
    const std::uint32_t at = next.back();
    next.pop_back();
    const program::Step &step = program_.steps[at];
    if (has_effect(step, program_.info[at].pipe)) return true;
    const bool guarded = step.guard_kind != program::GuardKind::none;
    if (step.flow == program::Flow::branch || step.flow == program::Flow::indirect_branch)
      for (const std::uint32_t target : static_cast<const program::BranchSite *>(step.detail)->targets)
        visit(target);
    const bool stops = step.flow == program::Flow::branch || step.flow == program::Flow::indirect_branch ||
                       step.flow == program::Flow::exit || step.flow == program::Flow::trap;
    if (guarded || !stops) visit(at + 1);
  }
  return false;
}

}  // namespace cupilot::emulate::machine
