// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/program/symbols.h"

#include <algorithm>

namespace cupilot::emulate::program {

std::uint64_t alignment_of(const ptx::Variable &variable) {
  const std::uint64_t natural = std::max<std::uint64_t>(1, variable.type.bits / 8);
  return std::max<std::uint64_t>(variable.alignment, natural);
}

SymbolTable module_symbols(Program &program) {
  SymbolTable table;
  const ptx::Module &module = *program.module;
  for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
    // A declaration may come before the definition: the latter counts.
    Symbol &symbol = table[module.functions[i].name];
    if (symbol.kind == Symbol::Kind::none || !module.functions[i].declared_only)
      symbol = {Symbol::Kind::function, i};
  }
  for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable &variable = module.variables[i];
    if (variable.space == ptx::Space::shared) {
      table[variable.name] = {Symbol::Kind::shared, static_cast<std::uint32_t>(program.shared.size())};
      program.shared.push_back(&variable);
    } else {
      table[variable.name] = {Symbol::Kind::variable, i};
    }
  }
  return table;
}

}  // namespace cupilot::emulate::program
