// SPDX-License-Identifier: Apache-2.0
//
// What a program's text says of its accesses to memory that threads share: which variable an address is
// certainly made from, and which volatile loads hand data from thread to thread. An address whose origin is
// not certain has none, so the checks that use it never report what is right.

#pragma once

#include <cstdint>
#include <vector>

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::machine {

struct SharedUse {
  static constexpr std::int32_t kUncertain = -1;
  /// By pc: index into Program::shared of the variable whose address an access's address is made from.
  std::vector<std::int32_t> object;
  /// By pc: a volatile or relaxed load, also of global memory, whose value decides no loop. A loop that it
  /// decides may wait for another thread.
  std::vector<bool> exchanged;
};

SharedUse shared_use(const program::Program &program);

}  // namespace cupilot::emulate::machine
