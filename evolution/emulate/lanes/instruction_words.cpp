// SPDX-License-Identifier: Apache-2.0
// Reading of instructions for bind functions.

#include "evolution/emulate/lanes/instruction_words.h"

#include <fmt/format.h>

#include <utility>

namespace cupilot::emulate::lanes {

bool InstructionWords::take(std::string_view word) {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (!taken_[i] && words_[i] == word) return taken_[i] = true;
  return false;
}

int InstructionWords::take_one(std::initializer_list<std::string_view> choices) {
  int place = 0;
  for (std::string_view choice : choices) {
    if (take(choice)) return place;
    ++place;
  }
  return -1;
}

int InstructionWords::take_leftmost(std::initializer_list<std::string_view> choices) {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    int place = 0;
    for (std::string_view choice : choices) {
      if (!taken_[i] && words_[i] == choice) {
        taken_[i] = true;
        return place;
      }
      ++place;
    }
  }
  return -1;
}

std::string_view InstructionWords::take_prefixed(std::string_view prefix) {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (!taken_[i] && words_[i].starts_with(prefix)) {
      taken_[i] = true;
      return words_[i];
    }
  return {};
}

std::string_view InstructionWords::next() const {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (!taken_[i]) return words_[i];
  return {};
}

bool InstructionWords::take_cache_hints() {
  const bool policy = take("L2::cache_hint");
  while (!take_prefixed("L2::").empty() || !take_prefixed("L1::").empty()) {
  }
  return policy;
}

bool InstructionWords::complete(std::string &why) const {
  const std::string_view left = next();
  if (left.empty()) return true;
  why = fmt::format(".{} of {}", left, words_.empty() ? left : words_.front());
  return false;
}

ptx::Space take_space(InstructionWords &words) {
  if (words.take_one({"shared", "shared::cta", "shared::cluster"}) >= 0) return ptx::Space::shared;
  if (words.take("global")) return ptx::Space::global;
  if (words.take("local")) return ptx::Space::local;
  return ptx::Space::generic;
}

ScalarType scalar_type(std::string_view name) {
  static constexpr std::pair<std::string_view, ScalarType> kTypes[] = {
      {"u8", {'u', 8}},   {"s8", {'s', 8}},    {"b8", {'b', 8}},     {"u16", {'u', 16}},   {"s16", {'s', 16}},
      {"b16", {'b', 16}}, {"u32", {'u', 32}},  {"s32", {'s', 32}},   {"b32", {'b', 32}},   {"u64", {'u', 64}},
      {"s64", {'s', 64}}, {"b64", {'b', 64}},  {"b128", {'b', 128}}, {"f32", {'f', 32}},   {"f64", {'f', 64}},
      {"f16", {'h', 16}}, {"bf16", {'g', 16}}, {"f16x2", {'H', 32}}, {"bf16x2", {'G', 32}}};
  for (const auto &[known, type] : kTypes)
    if (known == name) return type;
  return {};
}

std::size_t members_of(const ptx::Operand &operand) {
  using Kind = ptx::Operand::Kind;
  return operand.kind == Kind::vector || operand.kind == Kind::pair ? operand.parts.size() : 1;
}

bool is_predicate(const program::BindRequest &request, const ptx::Operand &operand) {
  return operand.kind == ptx::Operand::Kind::reg && operand.index < request.function.registers.size() &&
         request.function.registers[operand.index].type.kind == 'p';
}

void UseList::add(const ptx::Operand &member, program::OperandUse use, Need need) {
  using Kind = ptx::Operand::Kind;
  const Kind kind = member.kind;
  const bool value = kind == Kind::reg || kind == Kind::special || kind == Kind::integer ||
                     kind == Kind::real || kind == Kind::symbol;
  const bool place = kind == Kind::reg || (kind == Kind::sink && need == Need::place_or_sink);
  spoilt_ = spoilt_ || !(need == Need::value ? value : place);
  uses_.push_back(use);
}

std::uint8_t UseList::add_all(const ptx::Operand &vector, program::OperandUse use, Need need) {
  const std::uint8_t first = next();
  if (vector.kind != ptx::Operand::Kind::vector)
    add(vector, use, need);
  else
    for (const ptx::Operand &member : vector.parts) add(member, use, need);
  return first;
}

std::uint8_t UseList::reads(const ptx::Operand &scalar, std::uint8_t bits) {
  add(scalar, {.bits = bits}, Need::value);
  return static_cast<std::uint8_t>(next() - 1);
}

std::uint8_t UseList::writes(const ptx::Operand &scalar, std::uint8_t bits) {
  add(scalar, {.bits = bits, .defined = true}, Need::place);
  return static_cast<std::uint8_t>(next() - 1);
}

std::uint8_t UseList::writes_or_drops(const ptx::Operand &scalar, std::uint8_t bits) {
  add(scalar, {.bits = bits, .defined = true}, Need::place_or_sink);
  return static_cast<std::uint8_t>(next() - 1);
}

std::uint8_t UseList::reads_all(const ptx::Operand &vector, std::uint8_t bits) {
  return add_all(vector, {.bits = bits}, Need::value);
}

std::uint8_t UseList::writes_all(const ptx::Operand &vector, std::uint8_t bits) {
  return add_all(vector, {.bits = bits, .defined = true}, Need::place);
}

AddressOperand UseList::address(const ptx::Operand &operand) {
  AddressOperand place{.flat = next(), .offset = operand.integer};
  const ptx::Operand *base = operand.parts.empty() ? nullptr : &operand.parts.front();
  if (base && base->kind == ptx::Operand::Kind::reg && base->index < request_.function.registers.size())
    place.wide = request_.function.registers[base->index].type.bits == 64;
  const program::OperandUse use{.bits = static_cast<std::uint8_t>(place.wide ? 64 : 32)};
  if (operand.parts.size() == 1)
    add(*base, use, Need::value);
  else
    spoilt_ = true;
  return place;
}

std::vector<program::OperandUse> UseList::done() {
  return spoilt_ ? std::vector<program::OperandUse>{} : std::move(uses_);
}

std::optional<program::Binding> settled(std::optional<program::Binding> binding,
                                        const program::BindRequest &request, std::string &why) {
  if (binding && binding->uses.empty() && !request.instruction.operands.empty()) {
    why = "operands it cannot have";
    return std::nullopt;
  }
  if (!binding && why.empty()) why = "no such form is known";
  return binding;
}

}  // namespace cupilot::emulate::lanes
