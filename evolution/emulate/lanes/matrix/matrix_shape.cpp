// SPDX-License-Identifier: Apache-2.0
// Shapes, element types and the registers they take.

#include <charconv>
#include <utility>

#include "evolution/emulate/lanes/matrix/matrix.h"

namespace cupilot::emulate::lanes::matrix {
namespace {

/// Reads `letter` and a number from the front of `text`.
bool take_extent(std::string_view &text, char letter, int &extent) {
  if (text.empty() || text.front() != letter) return false;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), extent);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

Shape shape_of(std::string_view word) {
  Shape shape;
  const bool whole = take_extent(word, 'm', shape.m) && take_extent(word, 'n', shape.n) &&
                     take_extent(word, 'k', shape.k) && word.empty();
  return whole ? shape : Shape{};
}

int bits_of(lanes::Element element) {
  switch (element) {
    case lanes::Element::f16:
    case lanes::Element::bf16:
      return 16;
    case lanes::Element::tf32:
      return 32;
    case lanes::Element::f64:
      return 64;
    case lanes::Element::s4:
    case lanes::Element::u4:
      return 4;
    case lanes::Element::b1:
      return 1;
    default:
      return 8;
  }
}

std::optional<lanes::Element> element_of(std::string_view word) {
  using enum lanes::Element;
  static constexpr std::pair<std::string_view, lanes::Element> kNames[] = {
      {"f16", f16}, {"bf16", bf16}, {"tf32", tf32}, {"e4m3", e4m3}, {"e5m2", e5m2}, {"s8", s8},
      {"u8", u8},   {"s4", s4},     {"u4", u4},     {"b1", b1},     {"f64", f64}};
  for (const auto &[name, element] : kNames)
    if (name == word) return element;
  return std::nullopt;
}

std::optional<Accumulator> accumulator_of(std::string_view word) {
  if (word == "f16") return Accumulator::f16;
  if (word == "f32") return Accumulator::f32;
  if (word == "f64") return Accumulator::f64;
  if (word == "s32") return Accumulator::s32;
  return std::nullopt;
}

int operand_registers(lanes::Element element, int outer, int k) {
  const int register_bits = element == lanes::Element::f64 ? 64 : 32;
  return outer * k * bits_of(element) / register_bits / program::kLanes;
}

int accumulator_registers(Accumulator kind, Shape shape) {
  return shape.m * shape.n / program::kLanes / (kind == Accumulator::f16 ? 2 : 1);
}

}  // namespace cupilot::emulate::lanes::matrix
