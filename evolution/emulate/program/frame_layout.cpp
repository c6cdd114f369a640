// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/program/frame_layout.h"

#include "evolution/emulate/program/symbols.h"

namespace cupilot::emulate::program {
namespace {

std::uint64_t rounded(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

Offset FrameLayout::area(std::uint64_t bytes) {
  const auto at = static_cast<Offset>(end_);
  end_ += (bytes + 63) / 64 * 64;
  return at;
}

Offset FrameLayout::member(unsigned bits) {
  if (bits != 1) return area(member_bytes(bits));
  if (predicates_ % 64 == 0) predicates_ = area(64);
  const Offset at = predicates_;
  predicates_ += 4;
  return at;
}

Offset FrameLayout::constant(ConstantUse use) {
  const ConstantKey key{use.bits,   use.value, use.variable, use.function,
                        use.shared, use.local, use.parameter};
  const auto [found, fresh] = constants_.try_emplace(key, 0);
  if (fresh) {
    found->second = use.offset = member(use.bits);
    code_.constants.push_back(use);
  }
  return found->second;
}

Offset FrameLayout::special(std::string_view name, unsigned bits) {
  const auto [found, fresh] = specials_.try_emplace({name, bits}, 0);
  if (fresh) {
    found->second = member(bits);
    code_.specials.push_back({name, found->second, static_cast<std::uint8_t>(bits)});
  }
  return found->second;
}

void place_entry_parameters(const ptx::Function &function, FunctionCode &code) {
  std::uint64_t at = 0;
  for (const ptx::Variable &parameter : function.parameters) {
    const std::uint64_t alignment = alignment_of(parameter);
    at = rounded(at, alignment);
    code.parameters.push_back({parameter.name, static_cast<std::uint32_t>(at),
                               static_cast<std::uint32_t>(parameter.bytes),
                               static_cast<std::uint32_t>(alignment)});
    at += parameter.bytes;
  }
  code.parameter_bytes = static_cast<std::uint32_t>(at);
}

std::uint32_t parameter_stride(const ptx::Variable &variable) {
  return static_cast<std::uint32_t>(rounded(variable.bytes ? variable.bytes : 1, 16));
}

}  // namespace cupilot::emulate::program
