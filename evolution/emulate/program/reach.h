// SPDX-License-Identifier: Apache-2.0
//
// What an entry reaches through calls: instructions it could not execute, shared variables it needs. Private
// to program/.

#pragma once

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate {

/// Of one function, as its decoder found it.
struct FunctionFacts {
  std::vector<std::uint32_t> called, named, shared;
  bool calls_indirectly = false;
};

/// Fills FunctionCode::reaches, unsupported (with the callees'), and the shared layout.
void close_over_calls(Program &program, const std::vector<FunctionFacts> &facts);

}  // namespace cupilot::emulate
