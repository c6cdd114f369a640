// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/lanes/arithmetic/comparison.h"

#include "evolution/emulate/lanes/arithmetic/compare.h"

namespace cupilot::emulate::lanes {
namespace {

/// The words of a comparison, taken apart.
struct Words {
  std::string_view compare, type, result;
  std::uint64_t combine = 0;
  bool flush = false;
};

std::uint64_t combination(std::string_view word) {
  return word == "and" ? 1 : word == "or" ? 2 : word == "xor" ? 3 : 0;
}

std::optional<Words> take_apart(const std::vector<std::string_view> &words) {
  const bool set = words.front() == "set";
  if (words.size() < (set ? 4U : 3U)) return std::nullopt;
  Words parts;
  parts.compare = words[1];
  parts.type = words.back();
  std::size_t at = 2, end = words.size() - 1;
  if (set) parts.result = words[--end];
  if (at < end && combination(words[at]) != 0) parts.combine = combination(words[at++]);
  if (at < end && words[at] == "ftz") {
    parts.flush = true;
    ++at;
  }
  if (at != end) return std::nullopt;
  return parts;
}

/// What set writes where the comparison holds: all ones, or one.
std::optional<std::uint64_t> true_word(std::string_view type) {
  if (type == "u32" || type == "s32") return 0xffffffff;
  if (type == "f32") return 0x3f800000;
  if (type == "u16" || type == "s16") return 0xffff;
  if (type == "f16" || type == "f16x2") return 0x3c00;
  if (type == "bf16" || type == "bf16x2") return 0x3f80;
  return std::nullopt;
}

}  // namespace

std::optional<program::Binding> bind_comparison(const program::BindRequest &request, program::Isa isa,
                                                const FamilyLookup &lookup, std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  const std::optional<Words> words = take_apart(instruction.words);
  if (!words) return std::nullopt;
  const bool set = !words->result.empty(), half = bits_of_type(words->result) == 16;
  const bool packed = words->result.ends_with("x2");
  std::string name = !set ? "setp." : packed ? "set2." : half ? "set16." : "set.";
  name += std::string(words->compare) + (words->flush ? ".ftz." : ".") + std::string(words->type);
  const LaneEntry *entry = lookup.find(name, isa);
  if (entry == nullptr) return std::nullopt;

  program::Binding binding =
      binding_of(*entry, {program::Pipe::alu, bits_of_type(words->type) == 64 ? 2.0F : 1.0F});
  if (words->type == "f64") binding.pipe = program::Pipe::fp64;
  binding.data = words->combine;
  if (set) {
    const std::optional<std::uint64_t> yes = true_word(words->result);
    if (!yes) {
      why = "set with a result of type ." + std::string(words->result);
      return std::nullopt;
    }
    binding.data |= *yes << kCompareTrueShift;
  }
  if (instruction.operands.front().kind == ptx::Operand::Kind::pair) {
    if (set) return std::nullopt;
    binding.data |= kComparePair;
    binding.uses.insert(binding.uses.begin(), {1, true, false});
  }
  if (words->combine != 0) {
    binding.uses.push_back({1, false, false});
    if (instruction.operands.back().negated) binding.data |= kCompareNegated;
  }
  return binding;
}

}  // namespace cupilot::emulate::lanes
