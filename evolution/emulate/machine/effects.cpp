// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/machine/effects.h"

#include <vector>

namespace cupilot::emulate {
namespace {

bool has_effect(const Step &step, Pipe pipe) {
  if (step.flow == Flow::call) return true;
  return pipe == Pipe::store_global || pipe == Pipe::store_shared || pipe == Pipe::atomic ||
         pipe == Pipe::async;
}

}  // namespace

bool Effects::after(std::uint32_t pc) {
  const auto [found, fresh] = known_.try_emplace(pc, false);
  if (fresh) found->second = search(pc);
  return found->second;
}

bool Effects::search(std::uint32_t pc) const {
  const FunctionCode &code = program_.functions[program_.info[pc].function];
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
    const Step &step = program_.steps[at];
    if (has_effect(step, program_.info[at].pipe)) return true;
    const bool guarded = step.guard_kind != GuardKind::none;
    if (step.flow == Flow::branch || step.flow == Flow::indirect_branch)
      for (const std::uint32_t target : static_cast<const BranchSite *>(step.detail)->targets) visit(target);
    const bool stops = step.flow == Flow::branch || step.flow == Flow::indirect_branch ||
                       step.flow == Flow::exit || step.flow == Flow::trap;
    if (guarded || !stops) visit(at + 1);
  }
  return false;
}

}  // namespace cupilot::emulate
