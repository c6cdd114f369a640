// SPDX-License-Identifier: Apache-2.0
//
// Binds the f32 and f64 instructions and gives their costs. Exact divisions and roots are routines; an
// approximation is one operation of the special function unit plus the scaling around it.

#include <algorithm>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/lanes/lookup.h"

namespace cupilot::emulate::lanes {
namespace {

Price approximate_price(std::string_view name, bool flush) {
  if (name == "div") return {program::Pipe::transcendental, flush ? 2.0F : 4.0F};
  if (name == "sin" || name == "cos") return {program::Pipe::transcendental, 2};
  // Without .ftz the operand or the result is scaled out of the subnormal range.
  return {program::Pipe::transcendental, flush || name == "tanh" ? 1.0F : 3.0F};
}

Price price_of(const ptx::Instruction &instruction) {
  const std::string_view name = instruction.words.front(), type = type_word(instruction);
  const bool real64 = type == "f64";
  const program::Pipe pipe = real64 ? program::Pipe::fp64 : program::Pipe::fma;
  if (has_word(instruction, "full")) return {program::Pipe::fma, 6};
  if (has_word(instruction, "approx")) return approximate_price(name, has_word(instruction, "ftz"));
  if (name == "div") return {pipe, real64 ? 20.0F : 10.0F};
  if (name == "sqrt") return {pipe, real64 ? 16.0F : 8.0F};
  if (name == "rcp") return {pipe, real64 ? 12.0F : 7.0F};
  if (name == "min" || name == "max") return {program::Pipe::alu, real64 ? 5.0F : 1.0F};
  if (name == "neg" || name == "abs" || name == "copysign") return {program::Pipe::alu, 1};
  return {pipe, type == "f32x2" ? 2.0F : 1.0F};
}

/// The spelling in the tables: .rn is the default, mad means fma, and the type follows the modifiers.
std::string table_name(const ptx::Instruction &instruction) {
  std::string name = spelled(instruction.words, {"rn"});
  if (name.starts_with("mad.")) name.replace(0, 3, "fma");
  const bool three =
      instruction.operands.size() == 4 && (name.starts_with("min.") || name.starts_with("max."));
  if (three) name.insert(3, "3");
  return name;
}

/// Division and its kin name their rounding, or .approx or .full: without one, PTX means .approx for old
/// targets.
bool rounds_unsaid(const ptx::Instruction &instruction) {
  const std::string_view name = instruction.words.front();
  if (name != "div" && name != "rcp" && name != "sqrt") return false;
  return std::none_of(instruction.words.begin(), instruction.words.end(), [](std::string_view word) {
    return word == "rn" || word == "rz" || word == "rm" || word == "rp" || word == "approx" || word == "full";
  });
}

}  // namespace

std::optional<program::Binding> bind_float(const program::BindRequest &request, program::Isa isa,
                                           std::string &why) {
  static const FamilyLookup lookup(
      {CUPILOT_LANES(float), CUPILOT_LANES(rounded), CUPILOT_LANES(approximate)});
  const ptx::Instruction &instruction = request.instruction;
  if (instruction.words.empty()) return std::nullopt;
  const LaneEntry *entry = lookup.find(table_name(instruction), isa);
  if (entry == nullptr) return std::nullopt;
  if (rounds_unsaid(instruction)) {
    why = "no rounding mode";
    return std::nullopt;
  }
  return binding_of(*entry, price_of(instruction));
}

}  // namespace cupilot::emulate::lanes
