// SPDX-License-Identifier: Apache-2.0
//
// Splits a function's body into units, from which the steps are made: its instructions, the units that the
// decoder adds between them, and the successors of each. Private to program/.

#pragma once

#include <optional>
#include <vector>

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::program {

struct Unit {
  enum class Kind : std::uint8_t {
    instruction,
    guard,    ///< jumps over a guarded instruction in which lanes may have to wait
    refresh,  ///< reads a special register that changes (%clock) directly before the instruction that uses it
    epilogue,  ///< where a function returns, once at its end
  };
  Kind kind = Kind::instruction;
  std::uint32_t instruction = 0;
  Flow flow = Flow::next;
  bool conditional = false;            ///< control may also go on with the next unit
  std::vector<std::uint32_t> targets;  ///< units
  std::string_view special;            ///< of a refresh
};

/// The binding of each instruction, indexed like Function::body; nullopt: unsupported.
using Bindings = std::vector<std::optional<Binding>>;

/// Returns an error for a branch to an unknown label.
Result<std::vector<Unit>> make_units(const ptx::Function &function, const Bindings &bindings);

/// True for special registers that change while a thread runs.
bool changes(std::string_view special);

/// "line 12: ...": errors of a module name the line of the PTX text.
std::string at_line(std::uint32_t line, const std::string &what);

}  // namespace cupilot::emulate::program
