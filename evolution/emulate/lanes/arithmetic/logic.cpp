// SPDX-License-Identifier: Apache-2.0
//
// Binds logic, selection, comparison and move instructions. Types that differ only in name share a handler:
// mov.f32 and mov.b32 are the same copy.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "evolution/emulate/lanes/arithmetic/comparison.h"
#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/lanes/lookup.h"

namespace cupilot::emulate::lanes {
namespace {

using Kind = ptx::Operand::Kind;

const FamilyLookup &lookup() {
  static const FamilyLookup all({CUPILOT_LANES(logic), CUPILOT_LANES(move), CUPILOT_LANES(compare)});
  return all;
}

std::optional<program::Binding> bound(const std::string &name, program::Isa isa, Price price) {
  const LaneEntry *entry = lookup().find(name, isa);
  if (entry == nullptr) return std::nullopt;
  return binding_of(*entry, price);
}

bool any_negated(const ptx::Instruction &instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const ptx::Operand &operand) { return operand.negated; });
}

std::uint64_t negated_bits(const ptx::Instruction &instruction) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    if (instruction.operands[i].negated) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

/// Literals written as floating numbers keep their bits, whatever the instruction's type.
void mark_real(program::Binding &binding, const ptx::Instruction &instruction, std::string_view type) {
  if (type.starts_with('f') && (binding.uses.front().bits == 32 || binding.uses.front().bits == 64)) {
    for (program::OperandUse &use : binding.uses) use.real = !use.defined && use.bits != 1;
  }
  if (instruction.operands.size() != binding.uses.size()) return;
  for (std::size_t i = 0; i < binding.uses.size(); ++i) {
    if (instruction.operands[i].kind == Kind::real) binding.uses[i].real = true;
  }
}

std::optional<program::Binding> bind_move(const program::BindRequest &request, program::Isa isa) {
  const ptx::Instruction &instruction = request.instruction;
  if (instruction.words.size() != 2 || instruction.operands.size() != 2) return std::nullopt;
  const std::string_view type = instruction.words[1];
  if (type == "pred") {
    std::optional<program::Binding> binding = bound("mov.pred", isa, {});
    if (binding) binding->data = negated_bits(instruction);
    return binding;
  }
  const ptx::Operand &to = instruction.operands[0], &from = instruction.operands[1];
  const std::string width = fmt::format(".b{}", bits_of_type(type));
  if (to.kind == Kind::vector)
    return bound(fmt::format("unpack{}.{}", width, to.parts.size()), isa, {program::Pipe::alu, 0});
  if (from.kind == Kind::vector)
    return bound(fmt::format("pack{}.{}", width, from.parts.size()), isa,
                 {program::Pipe::alu, width == ".b32" ? 1.0F : 0.0F});
  // Copies between registers mostly vanish when the machine's registers are assigned.
  std::optional<program::Binding> binding =
      bound("mov" + width, isa, {program::Pipe::alu, from.kind == Kind::reg ? 0.0F : 0.5F});
  if (binding) mark_real(*binding, instruction, type);
  return binding;
}

std::optional<program::Binding> bind_bitwise(const program::BindRequest &request, program::Isa isa) {
  const ptx::Instruction &instruction = request.instruction;
  std::optional<program::Binding> binding =
      bound(std::string(instruction.opcode), isa,
            {program::Pipe::alu, bits_of_type(type_word(instruction)) == 64 ? 2.0F : 1.0F});
  if (binding && type_word(instruction) == "pred") binding->data = negated_bits(instruction);
  return binding;
}

std::optional<program::Binding> bind_lop3(const program::BindRequest &request, program::Isa isa,
                                          std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  const std::size_t words = instruction.words.size(), operands = instruction.operands.size();
  if ((words != 2 && words != 3) || operands < 5 || instruction.operands[4].kind != Kind::integer) {
    why = "lop3 whose table is no number";
    return std::nullopt;
  }
  const auto table = static_cast<std::uint64_t>(instruction.operands[4].integer) & 0xff;
  if (words == 2) {
    std::optional<program::Binding> binding = bound("lop3.b32", isa, {});
    if (binding) binding->data = table;
    return binding;
  }
  if (operands != 6 || instruction.operands[0].kind != Kind::pair) return std::nullopt;
  constexpr std::array<std::string_view, 3> kHow = {"and", "or", "xor"};
  const auto how = std::find(kHow.begin(), kHow.end(), instruction.words[1]);
  if (how == kHow.end()) return std::nullopt;
  std::optional<program::Binding> binding = bound("lop3.pred.b32", isa, {});
  if (binding)
    binding->data = table | static_cast<std::uint64_t>(how - kHow.begin() + 1) << 8 |
                    (instruction.operands[5].negated ? 1U << 16 : 0U);
  return binding;
}

std::optional<program::Binding> bind_selp(const program::BindRequest &request, program::Isa isa,
                                          std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  if (any_negated(instruction)) {
    why = "selp with a negated predicate";
    return std::nullopt;
  }
  const std::string_view type = type_word(instruction);
  const int bits = bits_of_type(type);
  const std::string name = type == "f32" || type == "f64" ? std::string(type) : fmt::format("b{}", bits);
  std::optional<program::Binding> binding =
      bound("selp." + name, isa, {program::Pipe::alu, bits == 64 ? 2.0F : 1.0F});
  if (binding) mark_real(*binding, instruction, type);
  return binding;
}

std::optional<program::Binding> bind_slct(const program::BindRequest &request, program::Isa isa) {
  const ptx::Instruction &instruction = request.instruction;
  const std::size_t words = instruction.words.size();
  if (words < 3) return std::nullopt;
  const std::string_view type = instruction.words[words - 2], by = instruction.words[words - 1];
  const std::string name =
      type == "f32" || type == "f64" ? std::string(type) : fmt::format("b{}", bits_of_type(type));
  return bound(fmt::format("slct.{}{}.{}", words == 4 ? "ftz." : "", by, name), isa,
               {program::Pipe::alu, bits_of_type(type) == 64 ? 2.0F : 1.0F});
}

}  // namespace

std::optional<program::Binding> bind_logic(const program::BindRequest &request, program::Isa isa,
                                           std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  if (instruction.words.empty()) return std::nullopt;
  const std::string_view name = instruction.words.front();
  if (name == "mov") return bind_move(request, isa);
  if (name == "and" || name == "or" || name == "xor" || name == "not" || name == "cnot")
    return bind_bitwise(request, isa);
  if (name == "lop3") return bind_lop3(request, isa, why);
  if (name == "selp") return bind_selp(request, isa, why);
  if (name == "slct") return bind_slct(request, isa);
  if (name == "setp" || name == "set") return bind_comparison(request, isa, lookup(), why);
  if (name == "testp") return bound(std::string(instruction.opcode), isa, {program::Pipe::alu, 2});
  return std::nullopt;
}

}  // namespace cupilot::emulate::lanes
