// SPDX-License-Identifier: Apache-2.0
// Turns units into steps.

#include <algorithm>

#include "evolution/emulate/program/function_decoder.h"

namespace cupilot::emulate::program {

using Kind = ptx::Operand::Kind;

namespace {

bool waits_for_others(const ptx::Instruction &instruction) {
  const std::string_view name = instruction.words[0];
  if (name == "atom" || name == "nanosleep" || name == "mbarrier") return true;
  if (name != "ld") return false;
  return std::any_of(instruction.words.begin(), instruction.words.end(), [](std::string_view word) {
    return word == "volatile" || word == "relaxed" || word == "acquire" || word == "mmio" || word == "cv";
  });
}

bool is_call(const ptx::Instruction &instruction) {
  return instruction.words[0] == "call";
}

}  // namespace

Step &FunctionDecoder::add_step(const Unit &unit, std::uint32_t block) {
  Step step;
  step.pc = static_cast<std::uint32_t>(program_.steps.size());
  step.flow = unit.flow;
  StepInfo info;
  info.function = index_;
  info.block = block;
  info.instruction = unit.kind == Unit::Kind::instruction ? unit.instruction : kNowhere;
  if (unit.instruction < function_.body.size())
    info.location = function_.body[unit.instruction].location;
  else if (!function_.body.empty())
    info.location = function_.body.back().location;
  program_.steps.push_back(step);
  program_.info.push_back(info);
  return program_.steps.back();
}

void FunctionDecoder::emit(const FlowGraph &graph) {
  // Block numbers are unique in the program; every function has at least its epilogue.
  const std::uint32_t first_block = program_.info.empty() ? 0 : program_.info.back().block + 1;
  std::vector<std::uint32_t> block_pc;
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    const BasicBlock &block = graph.blocks[b];
    block_pc.push_back(static_cast<std::uint32_t>(program_.steps.size()));
    const bool epilogue = b + 1 == graph.blocks.size();
    if (block.is_join || (epilogue && !function_.entry)) {
      Unit join = units_[block.begin];
      join.kind = Unit::Kind::epilogue;
      join.flow = Flow::join;
      add_step(join, first_block + b).plain = false;
    }
    for (std::uint32_t u = block.begin; u < block.end; ++u) {
      emit_unit(graph, b, u);
      program_.info.back().block = first_block + b;
    }
  }
  patch_branches(block_pc);
}

void FunctionDecoder::emit_unit(const FlowGraph &graph, std::uint32_t block, std::uint32_t at) {
  const Unit &unit = units_[at];
  Step &step = add_step(unit, block);
  StepInfo &info = program_.info.back();
  info.reads = uses_[at].reads;
  info.defines = uses_[at].defines;
  const bool known = unit.instruction < function_.body.size();
  const ptx::Guard guard = known ? function_.body[unit.instruction].guard : ptx::Guard{};
  if (guard.reg >= 0 && (unit.conditional || unit.flow == Flow::unsupported)) {
    const bool skips = unit.kind == Unit::Kind::guard;
    step.guard = registers_[static_cast<std::size_t>(guard.reg)];
    step.guard_kind = guard.negated != skips ? GuardKind::if_clear : GuardKind::if_set;
  }
  if (unit.kind == Unit::Kind::refresh)
    fill_refresh(step, unit);
  else if (unit.kind == Unit::Kind::instruction && bindings_[unit.instruction])
    fill_instruction(step, unit);
  // A function's `ret` goes to the one place where it returns.
  if (unit.flow == Flow::ret && unit.kind == Unit::Kind::instruction) step.flow = Flow::branch;
  if (step.flow == Flow::branch || step.flow == Flow::indirect_branch) fill_branch(step, graph, block, unit);
  step.plain = step.flow == Flow::next && step.guard_kind == GuardKind::none && !step.always;
}

/// The cost of a backward jump over these units; high when the loop may wait for other threads.
std::uint32_t FunctionDecoder::cost_of_round(std::uint32_t first, std::uint32_t end) const {
  constexpr std::uint32_t kSpin = 256, kCall = 16;
  bool waits = false, calls = false;
  for (std::uint32_t u = first; u < end; ++u) {
    if (units_[u].kind != Unit::Kind::instruction) continue;
    const ptx::Instruction &instruction = function_.body[units_[u].instruction];
    if (instruction.words[0] == "nanosleep") return kSpin;
    waits = waits || waits_for_others(instruction);
    calls = calls || is_call(instruction);
  }
  if (waits && leaves_by_others(first, end)) return kSpin;
  return calls ? kCall : 1;
}

/// Whether the exit conditions of a loop depend on values from other threads. Those of a loop that only adds
/// to a histogram do not.
bool FunctionDecoder::leaves_by_others(std::uint32_t first, std::uint32_t end) const {
  std::vector<bool> wanted(function_.registers.size(), false);
  for (std::uint32_t u = first; u < end; ++u)
    if (units_[u].conditional)
      for (const std::uint32_t reg : uses_[u].reads) wanted[reg] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t u = first; u < end; ++u) {
      const auto &defines = uses_[u].defines;
      if (std::none_of(defines.begin(), defines.end(), [&](std::uint32_t reg) { return wanted[reg]; }))
        continue;
      if (waits_for_others(function_.body[units_[u].instruction])) return true;
      for (const std::uint32_t reg : uses_[u].reads) {
        changed = changed || !wanted[reg];
        wanted[reg] = true;
      }
    }
  }
  return false;
}

void FunctionDecoder::fill_branch(Step &step, const FlowGraph &graph, std::uint32_t block, const Unit &unit) {
  auto site = std::make_shared<BranchSite>();
  for (const std::uint32_t target : unit.targets) site->targets.push_back(graph.block_of[target]);
  site->join = graph.blocks[block].join;
  site->indirect = step.flow == Flow::indirect_branch;
  step.at[kBranchCost] = cost_of_round(unit.targets.front(), graph.blocks[block].end);
  step.detail = site.get();
  program_.owned.push_back(site);
  patches_.push_back({step.pc, std::move(site)});
}

void FunctionDecoder::patch_branches(const std::vector<std::uint32_t> &block_pc) {
  for (const Patch &patch : patches_) {
    for (std::uint32_t &target : patch.site->targets) target = block_pc[target];
    if (patch.site->join != kNowhere) patch.site->join = block_pc[patch.site->join];
    if (patch.site->indirect) continue;
    Step &step = program_.steps[patch.pc];
    step.data = patch.site->targets.front();
    step.at[kBranchJoin] = patch.site->join;
  }
}

void FunctionDecoder::fill_instruction(Step &step, const Unit &unit) {
  const ptx::Instruction &instruction = function_.body[unit.instruction];
  const Binding &binding = bindings_[unit.instruction].value();
  StepInfo &info = program_.info[step.pc];
  info.pipe = binding.pipe;
  info.cost = binding.cost;
  step.run = binding.run;
  step.always = binding.always;
  step.data = binding.data;
  step.detail = binding.detail.get();
  if (binding.detail) program_.owned.push_back(binding.detail);
  if (binding.flow == Flow::call) return fill_call(step, instruction);
  if (binding.flow == Flow::branch) return;
  const std::vector<Leaf> leaves = flatten(instruction.operands);
  if (binding.flow == Flow::indirect_branch) {
    step.at[0] = offset_of(leaves[0], {.bits = 32});
    return;
  }
  std::vector<Offset> all;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    all.push_back(offset_of(leaves[i], binding.uses[i]));
    if (static_cast<int>(i) == binding.address_operand)
      step.data = static_cast<std::uint64_t>(leaves[i].offset);
  }
  if (std::find(instruction.words.begin(), instruction.words.end(), "sync") != instruction.words.end())
    info.uses = binding.uses;
  step.operands = static_cast<std::uint16_t>(all.size());
  constexpr std::size_t kInline = std::size(Step{}.at);
  std::copy_n(all.begin(), std::min(all.size(), kInline), step.at);
  const bool writes = !binding.uses.empty() && binding.uses[0].defined && binding.uses[0].bits == 1;
  step.sets_predicate = writes && step.at[0] != kNowhere;
  step.chooses = instruction.words[0] == "selp" && all.size() == 4;
  if (all.size() <= kInline) return;
  const auto more = std::make_shared<const std::vector<Offset>>(std::move(all));
  step.more = more->data();
  program_.owned.push_back(more);
}

/// Makes an artificial instruction that fills the frame's copy of a changing special register. Its opcode is
/// the register's name, which a family in machine/ binds.
void FunctionDecoder::fill_refresh(Step &step, const Unit &unit) {
  ptx::Instruction made;
  made.opcode = unit.special;
  made.words = {unit.special};
  std::string why;
  const std::optional<Binding> binding = bind(made, why);
  const bool wide = unit.special.ends_with("64") || unit.special == "%globaltimer";
  if (!binding) {
    list_unsupported(function_.body[unit.instruction], "no " + std::string(unit.special));
    step.flow = Flow::unsupported;
    return;
  }
  step.run = binding->run;
  step.data = binding->data;
  step.detail = binding->detail.get();
  if (binding->detail) program_.owned.push_back(binding->detail);
  step.at[0] = layout_.special(unit.special, wide ? 64 : 32);
  step.operands = 1;
}

Offset FunctionDecoder::offset_of(const Leaf &leaf, const OperandUse &use) {
  const ptx::Operand &operand = *leaf.operand;
  switch (operand.kind) {
    case Kind::reg:
      return registers_[operand.index];
    case Kind::special:
      return layout_.special(operand.name, use.bits);
    case Kind::integer:
    case Kind::real:
      return layout_.constant({.bits = use.bits, .value = literal_bits(operand, use.bits, use.real)});
    case Kind::symbol:
      return symbol_offset(operand, use.bits);
    default:
      return kNowhere;
  }
}

Offset FunctionDecoder::symbol_offset(const ptx::Operand &operand, unsigned bits) {
  ConstantUse use{.bits = static_cast<std::uint8_t>(bits),
                  .value = static_cast<std::uint64_t>(operand.integer)};
  if (operand.name == "WARP_SZ") {
    use.value = kLanes;
    return layout_.constant(use);
  }
  const Symbol symbol = find(operand.name);
  const auto index = static_cast<std::int32_t>(symbol.index);
  switch (symbol.kind) {
    case Symbol::Kind::variable:
      use.variable = index;
      break;
    case Symbol::Kind::shared:
      use.shared = index;
      shared_.push_back(symbol.index);
      break;
    case Symbol::Kind::local:
      use.local = true;
      use.value += symbol.index;
      break;
    case Symbol::Kind::entry_parameter:
      use.parameter = true;
      use.value += symbol.index;
      break;
    case Symbol::Kind::function:
      use.function = index;
      named_.push_back(symbol.index);
      break;
    case Symbol::Kind::parameter:
      return areas_[symbol.index].offset;
    case Symbol::Kind::none:
      break;
  }
  return layout_.constant(use);
}

CallSite::Place FunctionDecoder::call_place(const ptx::Operand &operand) {
  if (operand.kind == Kind::reg) {
    const auto bits = static_cast<std::uint8_t>(function_.registers[operand.index].type.bits);
    return {registers_[operand.index], 0, bits, 0};
  }
  const Area &area = areas_[find(operand.name).index];
  return {area.offset, area.stride, 0, area.bytes};
}

/// "call (returns), callee, (arguments), prototype": one list before the callee is the returns.
void FunctionDecoder::fill_call(Step &step, const ptx::Instruction &instruction) {
  auto site = std::make_shared<CallSite>();
  bool callee_seen = false;
  for (const ptx::Operand &operand : instruction.operands) {
    if (operand.kind == Kind::list) {
      auto &places = callee_seen ? site->arguments : site->returns;
      for (const ptx::Operand &part : operand.parts) places.push_back(call_place(part));
    } else if (!callee_seen) {
      callee_seen = true;
      if (operand.kind == Kind::reg) {
        site->target = registers_[operand.index];
        calls_indirectly_ = true;
      } else {
        site->function = static_cast<std::int32_t>(find(operand.name).index);
        called_.push_back(find(operand.name).index);
      }
    }
  }
  step.detail = site.get();
  program_.owned.push_back(std::move(site));
}

}  // namespace cupilot::emulate::program
