// SPDX-License-Identifier: Apache-2.0
//
// Binds the f16 and bf16 instructions.

#include "evolution/emulate/lanes/arithmetic/comparison.h"
#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/lanes/lookup.h"

namespace cupilot::emulate::lanes {
namespace {

const FamilyLookup &lookup() {
  static const FamilyLookup all({CUPILOT_LANES(half), CUPILOT_LANES(half_compare)});
  return all;
}

bool is_half(std::string_view type) {
  return type == "f16" || type == "f16x2" || type == "bf16" || type == "bf16x2";
}

Price price_of(const ptx::Instruction &instruction) {
  const std::string_view name = instruction.words.front();
  const float values = type_word(instruction).ends_with("x2") ? 2 : 1;
  if (name == "ex2" || name == "tanh") return {program::Pipe::transcendental, values};
  if (name == "neg" || name == "abs" || name == "min" || name == "max") return {program::Pipe::alu, 1};
  return {program::Pipe::half, 1};
}

}  // namespace

std::optional<program::Binding> bind_half(const program::BindRequest &request, program::Isa isa,
                                          std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  if (instruction.words.empty() || !is_half(type_word(instruction))) return std::nullopt;
  if (instruction.words.front() == "setp" || instruction.words.front() == "set")
    return bind_comparison(request, isa, lookup(), why);
  const std::string name = spelled(instruction.words, {"rn"});
  const LaneEntry *entry = lookup().find(name, isa);
  if (entry == nullptr) return std::nullopt;
  return binding_of(*entry, price_of(instruction));
}

}  // namespace cupilot::emulate::lanes
