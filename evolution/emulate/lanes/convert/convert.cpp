// SPDX-License-Identifier: Apache-2.0
//
// Binds the conversions: cvt between all scalar types, and cvta between a space and generic addresses.

#include <algorithm>

#include "evolution/emulate/lanes/convert/convert_any.h"
#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/lanes/lookup.h"
#include "evolution/emulate/machine/warp.h"

namespace cupilot::emulate::lanes {
namespace {

using Kind = ptx::Operand::Kind;

/// cvt.{modifiers}.to.from: types with their number of elements.
struct Words {
  Conversion how;
  int to_elements = 1, from_elements = 1;
  std::string_view to, from;
};

bool read_modifier(Conversion &how, std::string_view word) {
  struct Mode {
    std::string_view word;
    Rounding rounding;
    bool whole;
  };
  static constexpr Mode kModes[] = {
      {"rn", Rounding::nearest_even, false}, {"rna", Rounding::nearest_away, false},
      {"rz", Rounding::zero, false},         {"rm", Rounding::down, false},
      {"rp", Rounding::up, false},           {"rni", Rounding::nearest_even, true},
      {"rzi", Rounding::zero, true},         {"rmi", Rounding::down, true},
      {"rpi", Rounding::up, true},
  };
  for (const Mode &mode : kModes) {
    if (mode.word != word) continue;
    how.rounding = mode.rounding;
    how.to_whole = mode.whole;
    return true;
  }
  if (word == "ftz") return how.flush = true;
  if (word == "sat") return how.saturate = true;
  if (word == "relu") return how.relu = true;
  if (word == "satfinite") return how.finite = true;
  return false;
}

std::optional<Format> element_format(std::string_view type, int &elements) {
  elements = type.ends_with("x2") ? 2 : 1;
  if (elements == 2) type.remove_suffix(2);
  return format_of(type);
}

std::optional<Words> take_apart(const ptx::Instruction &instruction, std::string &why) {
  const auto &all = instruction.words;
  if (all.size() < 3) return std::nullopt;
  Words words;
  words.to = all[all.size() - 2];
  words.from = all.back();
  const std::optional<Format> to = element_format(words.to, words.to_elements);
  const std::optional<Format> from = element_format(words.from, words.from_elements);
  if (!to || !from) {
    why = "conversion of ." + std::string(to ? words.from : words.to);
    return std::nullopt;
  }
  words.how.to = *to;
  words.how.from = *from;
  for (std::size_t i = 1; i + 2 < all.size(); ++i) {
    if (read_modifier(words.how, all[i])) continue;
    why = "cvt with ." + std::string(all[i]);
    return std::nullopt;
  }
  return words;
}

/// Bits of the register for such a type when none is declared: at least 16.
int natural_storage(const Format &format, int elements) {
  const int bits = elements * (format.bits == 6 || format.bits == 9 ? 8 : format.bits + format.unused_low);
  return bits <= 16 && !(elements == 2 && bits == 8) ? 16 : bits;
}
int storage_of(const program::BindRequest &request, const ptx::Operand &operand, int natural) {
  const int bits = register_bits(request, operand);
  return bits == 0 ? natural : bits;
}

float cost_of(const Words &words) {
  return words.from_elements == 2 || words.to_elements == 2 || words.how.to.bits == 64 ||
                 words.how.from.bits == 64
             ? 2
             : 1;
}

Price price_of(const Words &words) {
  const bool integers =
      words.how.to.kind != Format::Kind::floating && words.how.from.kind != Format::Kind::floating;
  if (integers) return {program::Pipe::alu, 1};
  return {program::Pipe::convert, cost_of(words)};
}

std::optional<program::Binding> bind_frequent(const program::BindRequest &request, const Words &words,
                                              program::Isa isa) {
  static const FamilyLookup lookup({CUPILOT_LANES(convert)});
  // Conversions of floating numbers to integers saturate anyway.
  const bool clamps =
      words.how.from.kind == Format::Kind::floating && words.how.to.kind != Format::Kind::floating;
  const std::string name =
      clamps ? spelled(request.instruction.words, {"rn", "sat"}) : spelled(request.instruction.words, {"rn"});
  const LaneEntry *entry = lookup.find(name, isa);
  if (entry == nullptr) return std::nullopt;
  program::Binding binding = binding_of(*entry, price_of(words));
  const auto &operands = request.instruction.operands;
  if (binding.uses.size() != operands.size()) return std::nullopt;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const int bits = register_bits(request, operands[i]);
    if (bits != 0 && bits != binding.uses[i].bits) return std::nullopt;
  }
  return binding;
}

std::optional<program::Binding> bind_conversion(const program::BindRequest &request, program::Isa isa,
                                                std::string &why) {
  const auto &operands = request.instruction.operands;
  const std::optional<Words> words = take_apart(request.instruction, why);
  if (!words || operands.size() < 2) return std::nullopt;
  if (std::optional<program::Binding> frequent = bind_frequent(request, *words, isa)) return frequent;

  ConversionStep step;
  step.conversion = words->how;
  step.packed = words->from_elements == 2;
  step.sources = words->to_elements == 2 && words->from_elements == 1 ? 2 : 1;
  if ((step.packed && words->to_elements != 2) || operands.size() != 1U + step.sources) {
    why = "cvt with these operands";
    return std::nullopt;
  }
  step.to_storage = static_cast<std::uint8_t>(
      storage_of(request, operands[0], natural_storage(words->how.to, words->to_elements)));
  step.from_storage = static_cast<std::uint8_t>(
      storage_of(request, operands[1], natural_storage(words->how.from, words->from_elements)));
  program::Binding binding;
  binding.run = convert_any;
  binding.uses.push_back({step.to_storage, true, false});
  const bool real = words->how.from.kind == Format::Kind::floating && words->from_elements == 1;
  for (int i = 0; i < step.sources; ++i) binding.uses.push_back({step.from_storage, false, real});
  binding.detail = std::make_shared<ConversionStep>(step);
  const Price price = price_of(*words);
  binding.pipe = price.pipe;
  binding.cost = price.cost;
  return binding;
}

/// cvt.pack.sat.{u16,s16}.s32 d, a, b; with narrower types .b32 follows, and c.
std::optional<program::Binding> bind_pack(const program::BindRequest &request, std::string &why) {
  const auto &words = request.instruction.words;
  const int bits = words.size() > 3 ? bits_of_type(words[3]) : 0;
  const bool shifted = words.size() == 6 && words[5] == "b32";
  if (words.size() < 5 || words[2] != "sat" || words[4] != "s32" || bits == 0 || (bits == 16) == shifted) {
    why = "this form of cvt.pack";
    return std::nullopt;
  }
  PackStep step;
  step.bits = static_cast<std::uint8_t>(bits);
  step.sign = words[3][0] == 's';
  step.shifted = shifted;
  program::Binding binding;
  binding.run = pack_saturated;
  binding.uses = {{32, true, false}, {32, false, false}, {32, false, false}};
  if (shifted) binding.uses.push_back({32, false, false});
  binding.detail = std::make_shared<PackStep>(step);
  binding.pipe = program::Pipe::convert;
  return binding;
}

/// What cvta adds to an address: where the window of a space begins, or less than nothing.
enum class Window : std::uint8_t { none, shared, local };
template <Window kWindow, bool kBack>
void add_window(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const std::uint64_t begin = kWindow == Window::shared  ? warp.shared_window
                              : kWindow == Window::local ? warp.local_window
                                                         : 0;
  std::uint64_t *to = warp.lanes<std::uint64_t>(step.at[0]);
  const std::uint64_t *from = warp.lanes<std::uint64_t>(step.at[1]);
  for (int i = 0; i < program::kLanes; ++i)
    if (mask >> i & 1) to[i] = kBack ? from[i] - begin : from[i] + begin;
}

std::optional<program::Binding> bind_address(const program::BindRequest &request, std::string &why) {
  const auto &words = request.instruction.words;
  const bool back = words.size() == 4 && words[1] == "to";
  if (words.size() != (back ? 4U : 3U) || words.back() != "u64") {
    why = "cvta on addresses that are not 64 bits wide";
    return std::nullopt;
  }
  const std::string_view space = words[back ? 2 : 1];
  auto run = add_window<Window::none, false>;
  if (space.starts_with("shared"))
    run = back ? add_window<Window::shared, true> : add_window<Window::shared, false>;
  else if (space == "local")
    run = back ? add_window<Window::local, true> : add_window<Window::local, false>;
  else if (space != "global" && space != "const" && !space.starts_with("param"))
    return std::nullopt;
  program::Binding binding;
  binding.run = run;
  binding.uses = {{64, true, false}, {64, false, false}};
  binding.cost = run == add_window<Window::none, false> ? 0 : 1;
  return binding;
}

}  // namespace

std::optional<program::Binding> bind_convert(const program::BindRequest &request, program::Isa isa,
                                             std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  if (instruction.words.empty()) return std::nullopt;
  if (instruction.words.front() == "cvta") return bind_address(request, why);
  if (instruction.words.front() != "cvt") return std::nullopt;
  if (has_word(instruction, "pack")) return bind_pack(request, why);
  return bind_conversion(request, isa, why);
}

}  // namespace cupilot::emulate::lanes
