// SPDX-License-Identifier: Apache-2.0
// A program's variables in device memory.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "evolution/emulate/machine/frames.h"
#include "evolution/emulate/machine/launch.h"

namespace cupilot::emulate::machine {
namespace {

bool in_memory(const ptx::Variable &variable) {
  return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
}

class Loader {
public:
  Loader(const program::Program &program, memory::Memory &memory, std::vector<std::uint64_t> &addresses)
      : module_(*program.module), memory_(memory), addresses_(addresses) {
    addresses_.assign(module_.variables.size(), 0);
  }

  Result<> run() {
    for (std::size_t i = 0; i < module_.variables.size(); ++i) {
      const ptx::Variable &variable = module_.variables[i];
      if (!in_memory(variable)) continue;
      CUPILOT_TRY(address,
                  memory_.allocate(variable.bytes ? variable.bytes : 1, fmt::format("'{}'", variable.name)));
      addresses_[i] = address;
      symbols_[variable.name] = address;
      // What the text does not initialise is zero.
      auto *bytes = reinterpret_cast<std::byte *>(address);
      std::memset(bytes, 0, variable.bytes);
      std::copy_n(reinterpret_cast<const std::byte *>(variable.value.data()),
                  std::min<std::uint64_t>(variable.value.size(), variable.bytes), bytes);
    }
    for (std::size_t f = 0; f < module_.functions.size(); ++f)
      symbols_[module_.functions[f].name] = kFunctionWindow + f * kFunctionStep;
    for (std::size_t i = 0; i < module_.variables.size(); ++i) {
      CUPILOT_CHECKED(relocate(i));
      if (module_.variables[i].space == ptx::Space::constant) memory_.set_read_only(addresses_[i]);
    }
    return {};
  }

private:
  Result<> relocate(std::size_t i) {
    const ptx::Variable &variable = module_.variables[i];
    for (const ptx::Variable::Relocation &relocation : variable.relocations) {
      const auto found = symbols_.find(relocation.symbol);
      const bool inside = addresses_[i] && relocation.bytes <= 8 && relocation.at <= variable.bytes &&
                          relocation.bytes <= variable.bytes - relocation.at;
      if (found == symbols_.end() || !inside)
        return fail(fmt::format("the initial value of '{}' names '{}', which has no address", variable.name,
                                relocation.symbol));
      const std::uint64_t value = found->second + static_cast<std::uint64_t>(relocation.addend);
      std::memcpy(reinterpret_cast<std::byte *>(addresses_[i] + relocation.at), &value, relocation.bytes);
    }
    return {};
  }

  const ptx::Module &module_;
  memory::Memory &memory_;
  std::vector<std::uint64_t> &addresses_;
  std::unordered_map<std::string_view, std::uint64_t> symbols_;
};

}  // namespace

Result<std::shared_ptr<LoadedProgram>> LoadedProgram::load(std::shared_ptr<const program::Program> program,
                                                           memory::Memory &memory) {
  const std::shared_ptr<LoadedProgram> loaded(new LoadedProgram(std::move(program), memory));
  if (auto done = Loader(*loaded->program, memory, loaded->variables).run(); !done)
    return within("loading the module's variables", std::move(done).error());
  return loaded;
}

const SharedUse &LoadedProgram::shared_use() {
  std::call_once(looked_, [&] { shared_use_ = machine::shared_use(*program); });
  return shared_use_;
}

LoadedProgram::~LoadedProgram() {
  for (const std::uint64_t address : variables)
    if (address) (void)memory_.free(address);
}

}  // namespace cupilot::emulate::machine
