// SPDX-License-Identifier: Apache-2.0
//
// Symbol tables of a module and of one function, for the decoder. Private to program/.

#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "evolution/emulate/program/program.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::program {

struct Symbol {
  enum class Kind : std::uint8_t {
    none,
    variable,         ///< index in Module::variables: global or constant
    shared,           ///< index in Program::shared
    local,            ///< offset in the function's local memory
    entry_parameter,  ///< offset in the launch's parameter buffer
    parameter,        ///< of a function: index of a ParameterArea
    function,         ///< index in Module::functions
  };
  Kind kind = Kind::none;
  std::uint32_t index = 0;
};
using SymbolTable = std::unordered_map<std::string_view, Symbol>;

/// Global, constant and shared variables and functions; shared ones are appended to Program::shared.
SymbolTable module_symbols(Program &program);

std::uint64_t alignment_of(const ptx::Variable &variable);

}  // namespace cupilot::emulate::program
