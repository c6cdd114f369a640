// SPDX-License-Identifier: Apache-2.0
//
// An instruction and a frame made by hand: handlers tried without parser, decoder and machine.

#pragma once

#include <array>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>

#include "evolution/emulate/machine/warp.h"
#include "evolution/emulate/program/program.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::program;

/// Operand i is register i, of the bits given, at byte 256 * i of the frame.
class HandMade {
public:
  HandMade(const char *opcode, std::initializer_list<int> bits) {
    instruction_.opcode = opcode;
    std::string_view rest = opcode;
    for (std::size_t dot = 0; dot != std::string_view::npos;
         rest = rest.substr(std::min(dot + 1, rest.size()))) {
      dot = rest.find('.');
      instruction_.words.push_back(rest.substr(0, dot));
    }
    for (const int each : bits) {
      ptx::Operand operand;
      operand.kind = ptx::Operand::Kind::reg;
      operand.index = static_cast<std::uint32_t>(function_.registers.size());
      instruction_.operands.push_back(operand);
      ptx::Register reg;
      reg.type.bits = static_cast<std::uint16_t>(each);
      function_.registers.push_back(reg);
    }
    warp_.frame = frame_.data();
  }

  std::optional<Binding> bind(BindFor family, Isa isa = host_isa()) {
    why.clear();
    return family({instruction_, function_, module_}, isa, why);
  }
  /// Runs it for the lanes of `mask`.
  void run(const Binding &binding, Mask mask) {
    Step step;
    step.operands = static_cast<std::uint16_t>(instruction_.operands.size());
    for (std::size_t i = 0; i < instruction_.operands.size(); ++i) step.at[i] = static_cast<Offset>(256 * i);
    step.data = binding.data;
    step.detail = binding.detail.get();
    binding.run(warp_, step, mask);
  }
  template <class T>
  T *lanes(int operand) {
    return warp_.lanes<T>(static_cast<Offset>(256 * operand));
  }
  Mask &predicate(int operand) { return warp_.predicate(static_cast<Offset>(256 * operand)); }
  ptx::Operand &operand(int i) { return instruction_.operands[static_cast<std::size_t>(i)]; }

  std::string why;

private:
  ptx::Instruction instruction_;
  ptx::Function function_;
  ptx::Module module_;
  Warp warp_;
  alignas(64) std::array<std::byte, 6 * 256> frame_{};
};

}  // namespace cupilot::emulate
