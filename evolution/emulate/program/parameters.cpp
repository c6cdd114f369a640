// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/program/parameters.h"

#include "evolution/emulate/program/symbols.h"

namespace cupilot::emulate {
namespace {

std::uint64_t rounded(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

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

}  // namespace cupilot::emulate
