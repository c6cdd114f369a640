// SPDX-License-Identifier: Apache-2.0
//
// Works on parsed modules. A name defined twice is either weak in both (one stays), or private to its module:
// two visible ones were refused by the program's own linker already. So a second definition that is not weak
// gets a name of its own.

#include "evolution/emulate/runtime/ptx_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace cupilot::emulate::runtime {
namespace {

using Names = std::map<std::string_view, std::string_view>;

/// The words before a variable's name in its statement; the name lies in the module's text.
bool is_weak(const ptx::Module &module, const ptx::Variable &variable) {
  const std::string_view text = *module.text;
  if (variable.name.data() < text.data() || variable.name.data() >= text.data() + text.size()) return false;
  const auto before = text.substr(0, variable.name.data() - text.data());
  const auto begin = before.find_last_of(";}");
  const auto words = before.substr(begin == std::string_view::npos ? 0 : begin);
  return words.find(".weak") != std::string_view::npos || words.find(".common") != std::string_view::npos;
}

class Linker {
public:
  void define(const ptx::Module &module) {
    for (const auto &function : module.functions)
      if (!function.declared_only) defined_.insert(function.name);
    for (const auto &variable : module.variables)
      if (!variable.external) defined_.insert(variable.name);
  }

  void add(ptx::Module module) {
    result_.made.push_back(module.text);
    for (const auto &text : module.made) result_.made.push_back(text);
    Names renamed;
    choose_names(module, renamed);
    add_places(module);
    for (auto &variable : module.variables)
      if (wanted(variable.name, variable.external, is_weak(module, variable), renamed)) {
        rename(variable, renamed);
        result_.variables.push_back(std::move(variable));
      }
    for (auto &function : module.functions)
      if (wanted(function.name, function.declared_only, function.weak, renamed)) {
        rename(function, renamed);
        move_places(function);
        result_.functions.push_back(std::move(function));
      }
    ++count_;
  }

  ptx::Module take() { return std::move(result_); }
  ptx::Module &result() { return result_; }

private:
  /// Declarations stay if no module defines them; of weak definitions only the first stays.
  bool wanted(std::string_view name, bool declaration, bool weak, const Names &renamed) {
    if (declaration) return !defined_.contains(name) && present_.insert(name).second;
    if (const auto found = renamed.find(name); found != renamed.end())
      return present_.insert(found->second).second;
    return present_.insert(name).second || !weak;
  }

  void choose_names(const ptx::Module &module, Names &renamed) {
    const auto choose = [&](std::string_view name, bool weak) {
      if (weak || !present_.contains(name)) return;
      const auto text = std::make_shared<const std::string>(fmt::format("{}#module{}", name, count_));
      result_.made.push_back(text);
      renamed[name] = *text;
    };
    for (const auto &function : module.functions)
      if (!function.declared_only) choose(function.name, function.weak);
    for (const auto &variable : module.variables)
      if (!variable.external) choose(variable.name, is_weak(module, variable));
  }

  void add_places(const ptx::Module &module) {
    file_shift_ = static_cast<std::uint32_t>(result_.files.size()) - 1;
    for (std::size_t i = 1; i < module.files.size(); ++i) result_.files.push_back(module.files[i]);
    place_shift_ = static_cast<std::uint32_t>(result_.locations.size()) - 1;
    for (std::size_t i = 1; i < module.locations.size(); ++i) {
      auto place = module.locations[i];
      if (place.file) place.file += file_shift_;
      if (place.inlined_at) place.inlined_at += place_shift_;
      result_.locations.push_back(place);
    }
  }
  void move_places(ptx::Function &function) const {
    for (auto &instruction : function.body)
      if (instruction.location) instruction.location += place_shift_;
  }

  static void rename(std::string_view &name, const Names &renamed) {
    if (const auto found = renamed.find(name); found != renamed.end()) name = found->second;
  }
  static void rename(ptx::Operand &operand, const Names &renamed) {
    if (operand.kind == ptx::Operand::Kind::symbol) rename(operand.name, renamed);
    for (auto &part : operand.parts) rename(part, renamed);
  }
  static void rename(ptx::Variable &variable, const Names &renamed) {
    rename(variable.name, renamed);
    for (auto &relocation : variable.relocations) rename(relocation.symbol, renamed);
  }
  static void rename(ptx::Function &function, const Names &renamed) {
    if (renamed.empty()) return;
    rename(function.name, renamed);
    for (auto &instruction : function.body)
      for (auto &operand : instruction.operands) rename(operand, renamed);
    for (auto &[label, operands] : function.targets)
      for (auto &operand : operands) rename(operand, renamed);
  }

  ptx::Module result_;
  std::set<std::string_view> defined_, present_;
  std::uint32_t file_shift_ = 0, place_shift_ = 0;
  unsigned count_ = 0;
};

}  // namespace

Result<ptx::Module> link_modules(std::vector<ptx::Module> modules) {
  if (modules.empty()) return fail("there are no PTX modules to link");
  if (modules.size() == 1) return std::move(modules[0]);
  Linker linker;
  auto &result = linker.result();
  result.text = modules[0].text;
  result.version = modules[0].version;
  result.target = modules[0].target;
  result.files.resize(1);
  result.locations.resize(1);
  for (const auto &module : modules) linker.define(module);
  for (auto &module : modules) linker.add(std::move(module));
  return linker.take();
}

}  // namespace cupilot::emulate::runtime
