// SPDX-License-Identifier: Apache-2.0
//
// Handlers of atom and red. Blocks run on several host threads, so global memory is changed by the host's own
// atomic operations; lanes that meet at one address are applied one after the other in lane order.

#pragma once

#include "evolution/emulate/lanes/instruction_words.h"
#include "evolution/emulate/machine/warp.h"

namespace cupilot::emulate::lanes::atomic {

enum class Operation : std::uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor, exchange, compare };
inline constexpr int kOperations = 10;

/// Step::detail of every handler here.
struct Form {
  static constexpr std::uint8_t kNone = 0xff;
  machine::Access access;
  AddressOperand address;
  std::uint8_t result = kNone;   ///< operand index of the first element's old value; red: none
  std::uint8_t value = 0;        ///< of the operand, or what compare-and-swap compares with
  std::uint8_t replacement = 0;  ///< compare-and-swap
  std::uint8_t elements = 1;     ///< .v2 .v4 .v8: each one is atomic by itself
};

/// nullptr when there is no such operation.
program::Handler handler(Operation operation, ScalarType type);

}  // namespace cupilot::emulate::lanes::atomic
