// SPDX-License-Identifier: Apache-2.0
//
// Binds the integer instructions and gives their costs in machine code: 64-bit arithmetic is made of 32-bit
// instructions, and division is a routine.

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/lanes/lookup.h"

namespace cupilot::emulate::lanes {
namespace {

Price division_price(int bits) {
  return {program::Pipe::alu, bits == 64 ? 70.0F : bits == 32 ? 20.0F : 14.0F};
}

Price multiplication_price(const ptx::Instruction &instruction, int bits) {
  if (has_word(instruction, "wide")) return {program::Pipe::fma_heavy, 1};
  if (bits == 64) return {program::Pipe::fma_heavy, has_word(instruction, "hi") ? 8.0F : 4.0F};
  const std::string_view name = instruction.words.front();
  if (name == "mul24" || name == "mad24") return {program::Pipe::fma_heavy, 3};
  return {program::Pipe::fma_heavy, has_word(instruction, "hi") ? 2.0F : 1.0F};
}

Price price_of(const ptx::Instruction &instruction) {
  const std::string_view name = instruction.words.front();
  const int bits = bits_of_type(type_word(instruction));
  if (name == "div" || name == "rem") return division_price(bits);
  if (name.starts_with("mul") || name.starts_with("mad")) return multiplication_price(instruction, bits);
  if (name == "popc" || name == "brev" || name == "bfind" || name == "clz")
    return {program::Pipe::transcendental, bits == 64 ? 2.0F : 1.0F};
  if (name == "fns") return {program::Pipe::alu, 30};
  if (name == "dp4a" || name == "dp2a") return {program::Pipe::fma_heavy, 1};
  if (name == "sad" || name == "bfe" || name == "bfi" || name == "szext")
    return {program::Pipe::alu, bits == 64 ? 4.0F : 2.0F};
  return {program::Pipe::alu, bits == 64 ? 2.0F : 1.0F};
}

}  // namespace

std::optional<program::Binding> bind_integer(const program::BindRequest &request, program::Isa isa,
                                             std::string &why) {
  static const FamilyLookup lookup({CUPILOT_LANES(integer), CUPILOT_LANES(carry), CUPILOT_LANES(bits)});
  const ptx::Instruction &instruction = request.instruction;
  if (instruction.words.empty()) return std::nullopt;
  const LaneEntry *entry = lookup.find(instruction.opcode, isa);
  if (entry == nullptr) return std::nullopt;
  program::Binding binding = binding_of(*entry, price_of(instruction));
  (void)why;
  return binding;
}

}  // namespace cupilot::emulate::lanes
