// SPDX-License-Identifier: Apache-2.0
//
// Decodes a module into a program, function by function. Then it collects for every entry what its calls
// reach: unsupported instructions and shared variables.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "evolution/emulate/program/function_decoder.h"
#include "evolution/emulate/program/symbols.h"

namespace cupilot::emulate::program {
namespace {

/// What the decoder of one function found in it.
struct FunctionFacts {
  std::vector<std::uint32_t> called, named, shared;
  bool calls_indirectly = false;
};

/// Functions whose address is taken, which an indirect call may reach.
std::set<std::uint32_t> address_taken(const Program &program, const std::vector<FunctionFacts> &facts) {
  std::set<std::uint32_t> all;
  for (const FunctionFacts &fact : facts) all.insert(fact.named.begin(), fact.named.end());
  std::unordered_map<std::string_view, std::uint32_t> by_name;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) by_name[program.module->functions[i].name] = i;
  for (const ptx::Variable &variable : program.module->variables)
    for (const ptx::Variable::Relocation &relocation : variable.relocations)
      if (const auto found = by_name.find(relocation.symbol); found != by_name.end())
        all.insert(found->second);
  return all;
}

std::vector<std::uint32_t> reached_from(std::uint32_t function, const std::vector<FunctionFacts> &facts,
                                        const std::set<std::uint32_t> &taken) {
  std::vector<bool> seen(facts.size(), false);
  std::vector<std::uint32_t> all, next{function};
  const auto add = [&](std::uint32_t callee) {
    if (seen[callee]) return;
    seen[callee] = true;
    all.push_back(callee);
    next.push_back(callee);
  };
  while (!next.empty()) {
    const FunctionFacts &fact = facts[next.back()];
    next.pop_back();
    std::for_each(fact.called.begin(), fact.called.end(), add);
    if (fact.calls_indirectly) std::for_each(taken.begin(), taken.end(), add);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void lay_out_shared(const Program &program, const std::set<std::uint32_t> &used, FunctionCode &code) {
  code.shared_offsets.assign(program.shared.size(), kNowhere);
  std::uint64_t at = 0;
  for (const std::uint32_t index : used) {
    const ptx::Variable &variable = *program.shared[index];
    const std::uint64_t alignment = alignment_of(variable);
    if (variable.bytes == 0) {
      code.dynamic_alignment = std::max(code.dynamic_alignment,
                                        static_cast<std::uint32_t>(std::min<std::uint64_t>(alignment, 1024)));
      continue;
    }
    at = (at + alignment - 1) / alignment * alignment;
    code.shared_offsets[index] = static_cast<std::uint32_t>(at);
    at += variable.bytes;
  }
  // A launch refuses sizes that are too large; here the sum must only not overflow.
  code.shared_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(at, 0x7fffffff));
}

/// Fills FunctionCode::reaches, unsupported (with the callees'), and the shared layout.
void close_over_calls(Program &program, const std::vector<FunctionFacts> &facts) {
  const std::set<std::uint32_t> taken = address_taken(program, facts);
  std::vector<std::vector<std::uint32_t>> own;
  for (const FunctionCode &code : program.functions) own.push_back(code.unsupported);
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    FunctionCode &code = program.functions[f];
    code.reaches = reached_from(f, facts, taken);
    std::set<std::uint32_t> unsupported(code.unsupported.begin(), code.unsupported.end());
    std::set<std::uint32_t> shared(facts[f].shared.begin(), facts[f].shared.end());
    for (const std::uint32_t callee : code.reaches) {
      unsupported.insert(own[callee].begin(), own[callee].end());
      shared.insert(facts[callee].shared.begin(), facts[callee].shared.end());
    }
    code.unsupported.assign(unsupported.begin(), unsupported.end());
    lay_out_shared(program, shared, code);
  }
}

}  // namespace

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
      return within(fmt::format("decoding '{}'", function.name), std::move(done).error());
    facts.push_back({decoder.called(), decoder.named(), decoder.shared(), decoder.calls_indirectly()});
    if (function.entry && !function.declared_only) program->entries[function.name] = f;
  }
  close_over_calls(*program, facts);
  return program;
}

}  // namespace cupilot::emulate::program
