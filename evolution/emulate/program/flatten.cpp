// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/program/flatten.h"

#include <bit>

namespace cupilot::emulate::program {
namespace {

void flatten(const ptx::Operand &operand, std::vector<Leaf> &leaves) {
  using Kind = ptx::Operand::Kind;
  switch (operand.kind) {
    case Kind::address:
      if (operand.parts.empty()) return;
      leaves.push_back({&operand.parts[0], true, operand.integer});
      for (std::size_t i = 1; i < operand.parts.size(); ++i) flatten(operand.parts[i], leaves);
      return;
    case Kind::vector:
    case Kind::list:
    case Kind::pair:
      for (const ptx::Operand &part : operand.parts) flatten(part, leaves);
      return;
    default:
      leaves.push_back({&operand, false, 0});
  }
}

std::uint64_t real_bits(double value, unsigned bits) {
  return bits == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                    : std::bit_cast<std::uint64_t>(value);
}

}  // namespace

std::vector<Leaf> flatten(const std::vector<ptx::Operand> &operands) {
  std::vector<Leaf> leaves;
  for (const ptx::Operand &operand : operands) flatten(operand, leaves);
  return leaves;
}

std::uint64_t literal_bits(const ptx::Operand &literal, unsigned bits, bool real) {
  const auto raw = static_cast<std::uint64_t>(literal.integer);
  if (bits == 1) return raw != 0;
  const bool wide = bits == 32 || bits == 64;
  std::uint64_t value = raw;
  if (literal.kind == ptx::Operand::Kind::real && real && wide && literal.bits != bits)
    value = literal.bits == 32 ? real_bits(std::bit_cast<float>(static_cast<std::uint32_t>(raw)), bits)
                               : real_bits(std::bit_cast<double>(raw), bits);
  else if (literal.kind == ptx::Operand::Kind::integer && real && wide)
    value = real_bits(static_cast<double>(literal.integer), bits);
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace cupilot::emulate::program
