// SPDX-License-Identifier: Apache-2.0
// Calls: a frame for the callee, parameters copied lane by lane, and a join where its lanes return together.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "evolution/emulate/machine/builtin.h"
#include "evolution/emulate/machine/warp_run.h"

namespace cupilot::emulate::machine {
namespace {

void copy_parameter(std::byte *to, std::uint32_t to_stride, const std::byte *from, std::uint32_t from_stride,
                    std::uint32_t bytes, program::Mask mask) {
  for (; mask; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(mask));
    std::memcpy(to + lane * to_stride, from + lane * from_stride, bytes);
  }
}

/// True when the arguments (or returns) of a call agree with the callee's declaration.
bool fits(const std::vector<program::CallSite::Place> &given,
          const std::vector<program::ParameterPlace> &declared) {
  if (given.size() != declared.size()) return false;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].stride != declared[i].bytes) return false;
  return true;
}

}  // namespace

/// Returns true when the current part goes on at `next`; false when none of its lanes goes on now.
bool WarpRun::call(const program::Step &step, std::uint32_t &next) {
  const program::CallSite &site = *static_cast<const program::CallSite *>(step.detail);
  if (site.function >= 0) return call_function(step, static_cast<std::uint32_t>(site.function), next);
  const auto *target = lanes<std::uint64_t>(site.target);
  const int first = __builtin_ctz(current.mask);
  program::Mask same = 0;
  for (program::Mask m = current.mask; m; m &= m - 1)
    if (const int lane = __builtin_ctz(m); target[lane] == target[first]) same |= program::Mask{1} << lane;
  if (same != current.mask) {
    // The other lanes execute the call again; all reconverge at the join after the call.
    const bool joins = block->launch.program.steps[step.pc + 1].flow == program::Flow::join;
    Join *join = joins ? join_for(step.pc + 1) : current.join;
    add_part(step.pc, current.mask & ~same, current.frame, join);
    current.mask = same;
    current.join = join;
  }
  const std::uint64_t function = (target[first] - kFunctionWindow) / kFunctionStep;
  const bool known =
      target[first] >= kFunctionWindow && target[first] % kFunctionStep == 0 &&
      function < block->launch.program.functions.size() &&
      std::binary_search(block->launch.entry.reaches.begin(), block->launch.entry.reaches.end(),
                         static_cast<std::uint32_t>(function));
  if (known) return call_function(step, static_cast<std::uint32_t>(function), next);
  report(*this, step, FindingKind::trap, first, "calls through a pointer that points to no function");
  return false;
}

bool WarpRun::call_function(const program::Step &step, std::uint32_t function, std::uint32_t &next) {
  const program::Program &program = block->launch.program;
  const program::CallSite &site = *static_cast<const program::CallSite *>(step.detail);
  const program::FunctionCode &code = program.functions[function];
  if (code.source->declared_only) {
    run_builtin(*this, step, site, code.source->name);
    next = step.pc + 1;
    return !stop;
  }
  if (!fits(site.arguments, code.parameters) || !fits(site.returns, code.returns)) {
    report(*this, step, FindingKind::trap, -1,
           fmt::format("calls '{}' with parameters of other sizes than it declares", code.source->name));
    return false;
  }
  const std::uint32_t local_base =
      current.frame->local_base + program.functions[current.frame->function].local_bytes + kCallBytes;
  Frame *callee = reserve_local(local_base + code.local_bytes) ? frames_.take(function, local_base) : nullptr;
  if (!callee) {
    report(*this, step, FindingKind::out_of_memory, -1,
           fmt::format("the stack is full: '{}' is called too deep", code.source->name));
    return false;
  }
  callee->caller = current.frame;
  callee->call = step.pc;
  callee->lanes = current.mask;
  for (std::size_t i = 0; i < site.arguments.size(); ++i) {
    const program::CallSite::Place &from = site.arguments[i];
    copy_parameter(callee->data + code.parameters[i].offset, code.parameters[i].bytes,
                   current.frame->data + from.offset, from.stride, from.bytes, current.mask);
  }
  // A function ends with a join and the step that returns.
  current.join = new_join(code.end - 2, callee, current.join, current.mask);
  current.frame = callee;
  next = code.begin;
  return true;
}

/// The current part goes on after the call.
std::uint32_t WarpRun::return_from_call() {
  const program::Program &program = block->launch.program;
  Frame *done = current.frame, *caller = done->caller;
  const program::FunctionCode &code = program.functions[done->function];
  const program::CallSite &site = *static_cast<const program::CallSite *>(program.steps[done->call].detail);
  for (std::size_t i = 0; i < site.returns.size(); ++i) {
    const program::CallSite::Place &to = site.returns[i];
    copy_parameter(caller->data + to.offset, to.stride, done->data + code.returns[i].offset,
                   code.returns[i].bytes, to.bytes, current.mask);
  }
  // Other joins may still wait for lanes that were released from a join inside the function.
  Join *outer = current.join;
  while (outer && outer->frame == done) outer = outer->outer;
  leave_joins(current.join, outer, current.mask);
  current.join = outer;
  current.frame = caller;
  const std::uint32_t next = done->call + 1;
  leave_frame(done, current.mask);
  return next;
}

/// Local memory grows with calls, which is safe because no pointer into it is kept from one step to the next.
bool WarpRun::reserve_local(std::uint32_t bytes) {
  if (bytes <= local_bytes) return true;
  if (bytes > kMostLocalBytes) return false;
  const std::uint32_t grown = std::min(kMostLocalBytes, std::max(bytes, 2 * local_bytes));
  std::vector<std::byte> storage(std::size_t{grown} * program::kLanes,
                                 std::byte{memory::Memory::kPoisonByte});
  for (std::size_t lane = 0; lane < program::kLanes && local_bytes; ++lane)
    std::memcpy(storage.data() + lane * grown, local + lane * local_bytes, local_bytes);
  local_storage_ = std::move(storage);
  local = local_storage_.data();
  local_bytes = grown;
  return true;
}

}  // namespace cupilot::emulate::machine
