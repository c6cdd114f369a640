// SPDX-License-Identifier: Apache-2.0
// A module to a program, function by function.

#include "evolution/emulate/program/function_decoder.h"
#include "evolution/emulate/program/reach.h"

namespace cupilot::emulate {

Result<std::shared_ptr<const Program>> decode(std::shared_ptr<const ptx::Module> module,
                                              std::span<const BindFor> families, Isa isa) {
  const auto program = std::make_shared<Program>();
  program->module = std::move(module);
  program->functions.resize(program->module->functions.size());
  const SymbolTable symbols = module_symbols(*program);
  std::vector<FunctionFacts> facts;
  for (std::uint32_t f = 0; f < program->functions.size(); ++f) {
    const ptx::Function &function = program->module->functions[f];
    FunctionDecoder decoder(*program, symbols, f, {families, isa});
    if (auto done = decoder.run(); !done)
      return within("decoding '" + std::string(function.name) + "'", std::move(done).error());
    facts.push_back({decoder.called(), decoder.named(), decoder.shared(), decoder.calls_indirectly()});
    if (function.entry && !function.declared_only) program->entries[function.name] = f;
  }
  close_over_calls(*program, facts);
  return program;
}

}  // namespace cupilot::emulate
