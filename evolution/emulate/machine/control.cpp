// SPDX-License-Identifier: Apache-2.0
//
// bind_control: instructions of control flow and synchronisation. Branches, calls and returns have no
// handler; the machine's loop executes them by their Flow.

#include <fmt/format.h>

#include <bit>

#include "evolution/emulate/machine/families.h"
#include "evolution/emulate/machine/specials.h"
#include "evolution/emulate/machine/warp_run.h"

namespace cupilot::emulate::machine {
namespace {

using Kind = ptx::Operand::Kind;

/// A barrier's number and count may be registers; the part goes on with those lanes that have equal values.
program::Mask agreeing(Warp &warp, program::Offset operand, program::Mask mask) {
  const auto *value = warp.lanes<std::uint32_t>(operand);
  program::Mask same = 0;
  for (program::Mask m = mask; m; m &= m - 1)
    if (value[std::countr_zero(m)] == value[std::countr_zero(mask)]) same |= m & (~m + 1);
  return same;
}

/// Flattened: [d], a, [b], [p] as the form says.
void run_barrier(Warp &warp, const program::Step &step, program::Mask mask) {
  auto &run = static_cast<WarpRun &>(warp);
  const BarrierForm &form = *static_cast<const BarrierForm *>(step.detail);
  Barriers::Arrival arrival{.step = &step, .id = Barriers::kCluster};
  std::size_t at = form.reduces() ? 1 : 0;
  if (!form.cluster) {
    program::Mask same = agreeing(warp, step.at[at], mask);
    if (form.counted) same = agreeing(warp, step.at[at + 1], same);
    if (same != mask) {
      run.keep_only(step, same);
      mask = same;
    }
    const int lane = std::countr_zero(mask);
    arrival.id = warp.lanes<std::uint32_t>(step.at[at++])[lane];
    if (form.counted) arrival.threads = warp.lanes<std::uint32_t>(step.at[at++])[lane];
    if (arrival.id >= Barriers::kNamed)
      return report(warp, step, FindingKind::divergent_barrier, lane,
                    fmt::format("uses barrier {}; there are 0 to 15", arrival.id));
    if (form.counted && (arrival.threads == 0 || arrival.threads % program::kLanes))
      return report(
          warp, step, FindingKind::divergent_barrier, lane,
          fmt::format("waits for {} threads, which is no multiple of the 32 of a warp", arrival.threads));
  }
  arrival.mask = mask;
  if (form.reduces())
    arrival.truth = mask & (form.negated ? ~warp.predicate(step.at[at]) : warp.predicate(step.at[at]));
  if (form.kind == BarrierForm::Kind::arrive)
    warp.block->barriers.arrive(run, arrival);
  else
    run.wait_at_barrier(arrival);
}

/// bar.warp.sync: lanes of one part may name different members (tiles); the part waits for all that are
/// named.
void run_warp_barrier(Warp &warp, const program::Step &step, program::Mask mask) {
  const auto *members = warp.lanes<std::uint32_t>(step.at[0]);
  program::Mask named = 0, outside = 0;
  for (program::Mask m = mask; m; m &= m - 1) {
    const int lane = std::countr_zero(m);
    named |= members[lane];
    outside |= ~members[lane] & program::Mask{1} << lane;
  }
  if (outside)
    return report(warp, step, FindingKind::bad_shuffle_mask, std::countr_zero(outside),
                  "waits at a warp barrier whose member mask does not name the waiting thread");
  gather(warp, step, mask, named);
}

void run_sleep(Warp &warp, const program::Step &, program::Mask) {
  yield(warp);
}
void run_nothing(Warp &, const program::Step &, program::Mask) {}

/// Step::data is the kind of special register; all lanes read it at the same time.
void run_refresh(Warp &warp, const program::Step &step, program::Mask) {
  const std::uint64_t value = special_value(static_cast<int>(step.data), warp, 0);
  const bool wide = step.operands == 1 && step.detail != nullptr;
  for (int lane = 0; lane < program::kLanes; ++lane) {
    if (wide)
      warp.lanes<std::uint64_t>(step.at[0])[lane] = value;
    else
      warp.lanes<std::uint32_t>(step.at[0])[lane] = static_cast<std::uint32_t>(value);
  }
}

program::Binding flow(program::Flow kind, program::Pipe pipe = program::Pipe::branch) {
  program::Binding binding;
  binding.run = run_nothing;
  binding.flow = kind;
  binding.pipe = pipe;
  return binding;
}

bool has_word(const ptx::Instruction &instruction, std::string_view word) {
  for (const std::string_view each : instruction.words)
    if (each == word) return true;
  return false;
}

std::optional<BarrierForm> barrier_form(const ptx::Instruction &instruction, std::string &why) {
  BarrierForm form;
  form.aligned = instruction.words[0] == "bar" || has_word(instruction, "aligned");
  std::size_t operand_count = 1;
  if (has_word(instruction, "sync")) {
    form.kind = BarrierForm::Kind::sync;
  } else if (has_word(instruction, "arrive")) {
    form.kind = BarrierForm::Kind::arrive;
    operand_count = 2;
  } else if (has_word(instruction, "red")) {
    form.kind = has_word(instruction, "popc")  ? BarrierForm::Kind::popc
                : has_word(instruction, "and") ? BarrierForm::Kind::all
                                               : BarrierForm::Kind::any;
    operand_count = 3;
  } else {
    why = std::string(instruction.opcode);
    return std::nullopt;
  }
  const std::size_t given = instruction.operands.size();
  form.counted = form.kind == BarrierForm::Kind::arrive || given == operand_count + 1;
  if (given != operand_count && given != operand_count + 1) {
    why = "the number of operands";
    return std::nullopt;
  }
  if (form.reduces()) form.negated = instruction.operands.back().negated;
  return form;
}

std::optional<program::Binding> bind_barrier(const ptx::Instruction &instruction, std::string &why) {
  const bool cluster = has_word(instruction, "cluster");
  program::Binding binding = flow(program::Flow::next, program::Pipe::barrier);
  if (cluster && has_word(instruction, "arrive"))
    return binding;  // a cluster is one block: waiting is enough
  auto form = std::make_shared<BarrierForm>();
  if (cluster) {
    form->cluster = true;
    form->aligned = has_word(instruction, "aligned");
  } else if (has_word(instruction, "warp")) {
    if (instruction.operands.size() != 1) return std::nullopt;
    binding.run = run_warp_barrier;
    binding.uses = {{.bits = 32}};
    return binding;
  } else {
    const std::optional<BarrierForm> read = barrier_form(instruction, why);
    if (!read) return std::nullopt;
    *form = *read;
    if (form->reduces())
      binding.uses.push_back(
          {.bits = static_cast<std::uint8_t>(form->kind == BarrierForm::Kind::popc ? 32 : 1),
           .defined = true});
    binding.uses.push_back({.bits = 32});
    if (form->counted) binding.uses.push_back({.bits = 32});
    if (form->reduces()) binding.uses.push_back({.bits = 1});
  }
  binding.run = run_barrier;
  binding.detail = std::move(form);
  return binding;
}

/// Binds an instruction that has no effect here, whatever its operands.
program::Binding nothing(const program::BindRequest &request, program::Handler run) {
  program::Binding binding = flow(program::Flow::next, program::Pipe::none);
  binding.run = run;
  for (const ptx::Operand &operand : request.instruction.operands) {
    const bool reg = operand.kind == Kind::reg && operand.index < request.function.registers.size();
    const auto bits = reg ? request.function.registers[operand.index].type.bits : std::uint16_t{32};
    binding.uses.push_back({.bits = static_cast<std::uint8_t>(bits)});
  }
  return binding;
}

std::optional<program::Binding> bind_special(std::string_view name) {
  const std::optional<int> kind = special_kind(name);
  if (!kind) return std::nullopt;
  program::Binding binding = flow(program::Flow::next, program::Pipe::none);
  binding.run = run_refresh;
  binding.data = static_cast<std::uint64_t>(*kind);
  // A detail is set only for 64 bits.
  if (name.ends_with("64") || name == "%globaltimer") binding.detail = std::make_shared<const int>(64);
  return binding;
}

}  // namespace

program::Mask running_together(Warp &warp, const program::Step &step, program::Mask mask) {
  const std::uint64_t seed = warp.block->launch.options.place_seed;
  if (seed == 0) return mask;
  const std::uint64_t drawn = mixed(mixed(mixed(seed + warp.block->number) + warp.index) + mask);
  const auto kept = mask & static_cast<program::Mask>(drawn);
  if (drawn >> 63 || kept == 0 || kept == mask) return mask;
  static_cast<WarpRun &>(warp).keep_only(step, kept);
  return kept;
}

bool comes_later(const Warp &warp) {
  constexpr std::uint64_t kOneIn = 4, kApart = 0x9e37'79b9'7f4a'7c15;
  const std::uint64_t seed = warp.block->launch.options.place_seed;
  const std::uint64_t now = warp.block->executed * kApart + warp.index;
  return seed != 0 && mixed(mixed(seed + warp.block->number) + now) % kOneIn == 0;
}

void yield(Warp &warp) {
  static_cast<WarpRun &>(warp).sleep();
}

std::optional<program::Binding> bind_control(const program::BindRequest &request, program::Isa,
                                             std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  if (instruction.words.empty()) return std::nullopt;
  const std::string_view name = instruction.words[0];
  if (name == "bra") return flow(program::Flow::branch);
  if (name == "brx") return flow(program::Flow::indirect_branch);
  if (name == "call") return flow(program::Flow::call);
  if (name == "ret") return flow(program::Flow::ret);
  if (name == "exit") return flow(program::Flow::exit);
  if (name == "trap") return flow(program::Flow::trap);
  if (name == "bar" || name == "barrier") return bind_barrier(instruction, why);
  if (name == "nanosleep") return nothing(request, run_sleep);
  if (name == "brkpt" || name == "pmevent" || name == "griddepcontrol" || name == "setmaxnreg")
    return nothing(request, run_nothing);
  if (name.starts_with("%")) return bind_special(name);
  return std::nullopt;
}

}  // namespace cupilot::emulate::machine
