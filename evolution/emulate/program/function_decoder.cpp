// SPDX-License-Identifier: Apache-2.0
// Resolves names, finds bindings and lays out the frame; function_steps.cpp makes the steps.

#include "evolution/emulate/program/function_decoder.h"

#include <fmt/format.h>

#include <algorithm>

namespace cupilot::emulate::program {

using Kind = ptx::Operand::Kind;

FunctionDecoder::FunctionDecoder(Program &program, const SymbolTable &symbols, std::uint32_t function,
                                 Families families)
    : program_(program),
      symbols_(symbols),
      index_(function),
      families_(families),
      function_(program.module->functions[function]),
      code_(program.functions[function]),
      layout_(code_) {}

Result<> FunctionDecoder::run() {
  code_.source = &function_;
  CUPILOT_CHECKED(check_variables());
  if (function_.entry) place_entry_parameters(function_, code_);
  place_variables();
  code_.begin = code_.end = static_cast<std::uint32_t>(program_.steps.size());
  if (function_.declared_only) return {};
  CUPILOT_CHECKED(check_registers());
  bind_all();
  CUPILOT_TRY(units, make_units(function_, bindings_));
  units_ = std::move(units);
  const FlowGraph graph = make_flow_graph(units_);
  for (const Unit &unit : units_) uses_.push_back(register_use(unit));
  place_registers(find_liveness(graph, uses_, function_.registers.size()));
  emit(graph);
  code_.end = static_cast<std::uint32_t>(program_.steps.size());
  constexpr std::uint64_t kMostFrame = 1 << 28;
  if (layout_.bytes() > kMostFrame)
    return fail(
        at_line(function_.line, fmt::format("the registers of a warp take {} bytes; the limit is {} bytes",
                                            layout_.bytes(), kMostFrame)));
  code_.frame_bytes = std::max<std::uint32_t>(64, static_cast<std::uint32_t>(layout_.bytes()));
  return {};
}

/// Sizes that fit into no offset: such text is well-formed, but no compiler writes it.
Result<> FunctionDecoder::check_variables() const {
  constexpr std::uint64_t kMostParameters = 32764, kMostLocal = 1 << 28;
  std::uint64_t parameters = 0, local = 0;
  const auto count = [&](const std::vector<ptx::Variable> &variables) {
    for (const ptx::Variable &variable : variables) {
      const std::uint64_t bytes = std::min(variable.bytes, kMostLocal + 1) + alignment_of(variable);
      if (variable.space == ptx::Space::local) local += bytes;
      if (variable.space == ptx::Space::param) parameters = std::max(parameters, variable.bytes);
    }
  };
  count(function_.variables);
  count(function_.returns);
  count(function_.parameters);
  if (parameters > kMostParameters)
    return fail(at_line(function_.line, fmt::format("a parameter has {} bytes; the limit is {} bytes",
                                                    parameters, kMostParameters)));
  if (local > kMostLocal)
    return fail(
        at_line(function_.line, fmt::format("the local variables have more than {} bytes", kMostLocal)));
  return {};
}

FunctionDecoder::Area FunctionDecoder::add_area(const ptx::Variable &variable) {
  Area area;
  area.stride = parameter_stride(variable);
  area.bytes = static_cast<std::uint32_t>(variable.bytes);
  area.offset = layout_.area(area.stride * kLanes);
  areas_.push_back(area);
  local_symbols_[variable.name] = {Symbol::Kind::parameter, static_cast<std::uint32_t>(areas_.size() - 1)};
  return area;
}

void FunctionDecoder::place_variables() {
  for (const ptx::Variable &variable : function_.variables) {
    if (variable.space == ptx::Space::shared) {
      local_symbols_[variable.name] = {Symbol::Kind::shared,
                                       static_cast<std::uint32_t>(program_.shared.size())};
      program_.shared.push_back(&variable);
    } else if (variable.space == ptx::Space::local) {
      const std::uint64_t alignment = alignment_of(variable);
      const std::uint64_t at = (code_.local_bytes + alignment - 1) / alignment * alignment;
      local_symbols_[variable.name] = {Symbol::Kind::local, static_cast<std::uint32_t>(at)};
      code_.local_bytes = static_cast<std::uint32_t>(at + variable.bytes);
    } else if (variable.space == ptx::Space::param) {
      add_area(variable);
    }
  }
  code_.local_bytes = (code_.local_bytes + 15) / 16 * 16;
  if (function_.entry) {
    for (std::uint32_t i = 0; i < code_.parameters.size(); ++i)
      local_symbols_[code_.parameters[i].name] = {Symbol::Kind::entry_parameter, code_.parameters[i].offset};
    return;
  }
  const auto place = [&](const std::vector<ptx::Variable> &variables, std::vector<ParameterPlace> &places) {
    for (const ptx::Variable &variable : variables) {
      if (variable.space != ptx::Space::param) continue;
      const Area area = add_area(variable);
      places.push_back({variable.name, area.offset, area.stride, area.bytes});
    }
  };
  place(function_.parameters, code_.parameters);
  place(function_.returns, code_.returns);
}

Symbol FunctionDecoder::find(std::string_view name) const {
  if (const auto local = local_symbols_.find(name); local != local_symbols_.end()) return local->second;
  if (const auto global = symbols_.find(name); global != symbols_.end()) return global->second;
  return {};
}

/// Errors that a parsed module cannot have, because the parser resolves names; they are checked for modules
/// made in other ways.
Result<> FunctionDecoder::check_registers() const {
  for (const ptx::Instruction &instruction : function_.body) {
    const std::int32_t guard = instruction.guard.reg;
    if (guard >= static_cast<std::int32_t>(function_.registers.size()))
      return fail(
          at_line(instruction.line, fmt::format("the guard of '{}' is not a register", instruction.opcode)));
    if (guard >= 0 && function_.registers[static_cast<std::size_t>(guard)].type.bits != 1)
      return fail(
          at_line(instruction.line, fmt::format("the guard of '{}' is not a predicate", instruction.opcode)));
    for (const Leaf &leaf : flatten(instruction.operands))
      if (leaf.operand->kind == Kind::reg && leaf.operand->index >= function_.registers.size())
        return fail(at_line(instruction.line, fmt::format("an operand of '{}' is not a declared register",
                                                          instruction.opcode)));
  }
  return {};
}

void FunctionDecoder::list_unsupported(const ptx::Instruction &instruction, const std::string &why) {
  code_.unsupported.push_back(static_cast<std::uint32_t>(program_.unsupported.size()));
  std::string what(instruction.opcode);
  if (!why.empty() && why != what) what += ": " + why;
  program_.unsupported.push_back({place_of(*program_.module, instruction), std::move(what)});
}

std::optional<Binding> FunctionDecoder::bind(const ptx::Instruction &instruction, std::string &why) const {
  const BindRequest request{instruction, function_, *program_.module};
  for (const BindFor family : families_.all) {
    std::string reason;
    if (auto binding = family(request, families_.isa, reason)) return binding;
    if (why.empty()) why = std::move(reason);
  }
  return std::nullopt;
}

void FunctionDecoder::bind_all() {
  for (const ptx::Instruction &instruction : function_.body) {
    std::string why;
    std::optional<Binding> binding = bind(instruction, why);
    if (binding && !fits(instruction, *binding, why)) binding.reset();
    if (!binding) list_unsupported(instruction, why);
    bindings_.push_back(std::move(binding));
  }
}

bool FunctionDecoder::fits(const ptx::Instruction &instruction, const Binding &binding,
                           std::string &why) const {
  if (binding.flow == Flow::call) return call_fits(instruction, why);
  if (binding.flow == Flow::branch) return true;
  const std::vector<Leaf> leaves = flatten(instruction.operands);
  if (binding.flow == Flow::indirect_branch) {
    const bool fine = !leaves.empty() && leaf_fits(instruction, leaves[0], {.bits = 32}, why);
    if (why.empty() && !fine) why = "an index is missing";
    return fine;
  }
  if (leaves.size() != binding.uses.size()) {
    why = fmt::format("has {} operands, takes {}", leaves.size(), binding.uses.size());
    return false;
  }
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (!leaf_fits(instruction, leaves[i], binding.uses[i], why)) return false;
  return true;
}

bool FunctionDecoder::leaf_fits(const ptx::Instruction &instruction, const Leaf &leaf, const OperandUse &use,
                                std::string &why) const {
  const ptx::Operand &operand = *leaf.operand;
  switch (operand.kind) {
    case Kind::sink:
    case Kind::label:
      return true;
    case Kind::reg: {
      const ptx::Register &reg = function_.registers[operand.index];
      // Video instructions name parts of a register (%r1.b0); their binding says which.
      const bool video = instruction.words[0].starts_with('v') && instruction.words[0] != "vote";
      if (reg.vector > 1 || (!operand.name.empty() && !video)) {
        why = "vector registers";
        return false;
      }
      if (reg.type.bits == use.bits) return true;
      why = fmt::format("'{}' is {} bits wide, not {}", reg.name, reg.type.bits, use.bits);
      return false;
    }
    case Kind::symbol:
      break;
    case Kind::special:
      if (is_special(operand.name) && !use.defined) return true;
      why = "no " + std::string(operand.name);
      return false;
    default:
      if (use.defined) why = "writes to something that is no register";
      return !use.defined;
  }
  if (operand.name == "WARP_SZ") return true;
  const Symbol symbol = find(operand.name);
  if (symbol.kind == Symbol::Kind::none) {
    why = fmt::format("'{}' is declared nowhere", operand.name);
    return false;
  }
  const bool parameter_access = leaf.address && instruction.words.size() > 1 &&
                                (instruction.words[0] == "ld" || instruction.words[0] == "st") &&
                                instruction.words[1].starts_with("param");
  if (symbol.kind == Symbol::Kind::parameter && !parameter_access) {
    why = fmt::format("takes the address of the parameter '{}' of a function", operand.name);
    return false;
  }
  return true;
}

/// Arguments are variables in parameter space, registers or literals; the callee is known or in a register.
bool FunctionDecoder::call_fits(const ptx::Instruction &instruction, std::string &why) const {
  const ptx::Operand *callee = nullptr;
  for (const ptx::Operand &operand : instruction.operands) {
    if (operand.kind == Kind::list) {
      for (const ptx::Operand &argument : operand.parts) {
        const bool area =
            argument.kind == Kind::symbol && find(argument.name).kind == Symbol::Kind::parameter;
        if (area || argument.kind == Kind::reg) continue;
        why = "an argument that is neither a register nor in parameter space";
        return false;
      }
    } else if (!callee) {
      callee = &operand;
    }
  }
  if (callee && callee->kind == Kind::reg && function_.registers[callee->index].type.bits == 64) return true;
  const Symbol symbol = callee && callee->kind == Kind::symbol ? find(callee->name) : Symbol{};
  if (symbol.kind != Symbol::Kind::function) {
    why = "a call of something that is no function";
    return false;
  }
  const ptx::Function &target = program_.module->functions[symbol.index];
  if (!target.declared_only || is_builtin(target.name)) return true;
  why = fmt::format("'{}' is defined in another module", target.name);
  return false;
}

RegisterUse FunctionDecoder::register_use(const Unit &unit) const {
  RegisterUse use;
  if (unit.instruction >= function_.body.size() || unit.kind == Unit::Kind::refresh) return use;
  const ptx::Instruction &instruction = function_.body[unit.instruction];
  const bool guarded = instruction.guard.reg >= 0;
  if (guarded) use.reads.push_back(static_cast<std::uint32_t>(instruction.guard.reg));
  if (unit.kind == Unit::Kind::guard || !bindings_[unit.instruction]) return use;
  const Binding &binding = bindings_[unit.instruction].value();
  use.partial = guarded;
  if (binding.flow == Flow::call) {
    bool returns = instruction.operands.size() > 1 && instruction.operands[0].kind == Kind::list;
    for (const ptx::Operand &operand : instruction.operands) {
      std::vector<std::uint32_t> &list = returns ? use.defines : use.reads;
      const std::vector<ptx::Operand> alone{operand};  // leaves point into it
      for (const Leaf &leaf : flatten(alone))
        if (leaf.operand->kind == Kind::reg) list.push_back(leaf.operand->index);
      returns = false;
    }
    return use;
  }
  const std::vector<Leaf> leaves = flatten(instruction.operands);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].operand->kind != Kind::reg) continue;
    const bool defined = i < binding.uses.size() && binding.uses[i].defined;
    (defined ? use.defines : use.reads).push_back(leaves[i].operand->index);
  }
  return use;
}

/// Registers that are never live at the same time share a place, so that frames fit into the first-level
/// cache. A register that dies at the step where another one is defined does not share with it, so that no
/// handler overwrites its own source.
void FunctionDecoder::place_registers(const Liveness &liveness) {
  registers_.assign(function_.registers.size(), kNowhere);
  struct Used {
    std::uint32_t last = 0;
    Offset offset = 0;
  };
  for (const unsigned bits : {1U, 8U, 16U, 32U, 64U, 128U}) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t reg = 0; reg < registers_.size(); ++reg)
      if (function_.registers[reg].type.bits == bits && liveness.ranges[reg].first != kNowhere)
        order.push_back(reg);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return liveness.ranges[a].first < liveness.ranges[b].first;
    });
    const auto later = [](const Used &a, const Used &b) { return a.last > b.last; };
    std::vector<Used> used;  // a heap, the one that ends first in front
    for (const std::uint32_t reg : order) {
      const bool free = !used.empty() && used.front().last < liveness.ranges[reg].first;
      if (free) std::pop_heap(used.begin(), used.end(), later);
      if (!free) used.push_back({0, layout_.member(bits)});
      used.back().last = liveness.ranges[reg].last;
      registers_[reg] = used.back().offset;
      std::push_heap(used.begin(), used.end(), later);
    }
  }
  for (const std::uint32_t reg : liveness.unwritten)
    if (registers_[reg] != kNowhere)
      code_.unwritten.emplace_back(registers_[reg], member_bytes(function_.registers[reg].type.bits));
}

}  // namespace cupilot::emulate::program
