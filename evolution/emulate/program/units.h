// SPDX-License-Identifier: Apache-2.0
//
// A function's body as the sequence the steps are made from: its instructions, what the decoder adds between
// them, and where control goes after each. Private to program/.

#pragma once

#include <optional>
#include <vector>

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate {

struct Unit {
  enum class Kind : std::uint8_t {
    instruction,
    guard,     ///< jumps over a guarded instruction that lanes may have to wait in
    refresh,   ///< reads a special register that changes (%clock) right before its reader
    epilogue,  ///< where a function returns, once at its end
  };
  Kind kind = Kind::instruction;
  std::uint32_t instruction = 0;
  Flow flow = Flow::next;
  bool conditional = false;            ///< control may also go on with the next unit
  std::vector<std::uint32_t> targets;  ///< units
  std::string_view special;            ///< of a refresh
};

/// What the families said of each instruction, beside Function::body; nullopt: unsupported.
using Bindings = std::vector<std::optional<Binding>>;

/// Errors: a branch to nowhere.
Result<std::vector<Unit>> make_units(const ptx::Function &function, const Bindings &bindings);

/// Special registers that change while a thread runs.
bool changes(std::string_view special);

/// "line 12: ...": errors of a module name the line of the PTX text.
std::string at_line(std::uint32_t line, const std::string &what);

}  // namespace cupilot::emulate
