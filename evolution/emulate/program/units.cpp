// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/program/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace cupilot::emulate::program {
namespace {

using Kind = ptx::Operand::Kind;

bool has_word(const ptx::Instruction &instruction, std::string_view word) {
  return std::find(instruction.words.begin(), instruction.words.end(), word) != instruction.words.end();
}

/// True when lanes may wait in the instruction. All lanes of the running part have to execute it, so its
/// guard becomes a branch.
bool may_wait(const ptx::Instruction &instruction, const Binding &binding) {
  if (binding.flow == Flow::call || binding.flow == Flow::indirect_branch) return true;
  return binding.pipe == Pipe::barrier || has_word(instruction, "sync") || has_word(instruction, "bar") ||
         has_word(instruction, "barrier");
}

void collect_changing(const ptx::Operand &operand, std::vector<std::string_view> &names) {
  if (operand.kind == Kind::special && changes(operand.name)) names.push_back(operand.name);
  for (const ptx::Operand &part : operand.parts) collect_changing(part, names);
}

class UnitMaker {
public:
  UnitMaker(const ptx::Function &function, const Bindings &bindings)
      : function_(function), bindings_(bindings) {}

  Result<std::vector<Unit>> make() {
    for (std::uint32_t i = 0; i < function_.body.size(); ++i) add(i);
    first_.push_back(static_cast<std::uint32_t>(units_.size()));
    units_.push_back({.kind = Unit::Kind::epilogue,
                      .instruction = kNowhere,
                      .flow = function_.entry ? Flow::exit : Flow::ret});
    for (std::uint32_t i = 0; i < units_.size(); ++i) CUPILOT_CHECKED(resolve(i));
    return std::move(units_);
  }

private:
  void add(std::uint32_t i) {
    const ptx::Instruction &instruction = function_.body[i];
    first_.push_back(static_cast<std::uint32_t>(units_.size()));
    std::vector<std::string_view> names;
    for (const ptx::Operand &operand : instruction.operands) collect_changing(operand, names);
    for (const std::string_view name : names)
      units_.push_back({.kind = Unit::Kind::refresh, .instruction = i, .special = name});
    const bool guarded = instruction.guard.reg >= 0;
    const auto &binding = bindings_[i];
    const bool waits = guarded && binding && may_wait(instruction, *binding);
    if (waits)
      units_.push_back(
          {.kind = Unit::Kind::guard, .instruction = i, .flow = Flow::branch, .conditional = true});
    units_.push_back({.instruction = i,
                      .flow = binding ? binding->flow : Flow::unsupported,
                      .conditional = guarded && !waits});
  }

  Result<> resolve(std::uint32_t at) {
    Unit &unit = units_[at];
    if (unit.kind == Unit::Kind::guard) {
      unit.targets = {at + 2};  // over the instruction itself
      return {};
    }
    if (unit.kind != Unit::Kind::instruction) return {};
    if (unit.flow == Flow::ret && !function_.entry)
      unit.targets = {static_cast<std::uint32_t>(units_.size() - 1)};
    else if (unit.flow == Flow::ret)
      unit.flow = Flow::exit;
    if (unit.flow != Flow::branch && unit.flow != Flow::indirect_branch) return {};
    const ptx::Instruction &instruction = function_.body[unit.instruction];
    for (const ptx::Operand &operand : instruction.operands) CUPILOT_CHECKED(add_target(unit, operand));
    if (unit.targets.empty())
      return fail(at_line(instruction.line, fmt::format("'{}' has no target", instruction.opcode)));
    return {};
  }

  Result<> add_target(Unit &unit, const ptx::Operand &operand) {
    if (operand.kind == Kind::label) {
      if (operand.index >= first_.size())
        return fail(
            at_line(function_.body[unit.instruction].line,
                    fmt::format("a branch goes to a label that '{}' does not define", function_.name)));
      unit.targets.push_back(first_[operand.index]);
      return {};
    }
    const auto table =
        operand.kind == Kind::symbol ? function_.targets.find(operand.name) : function_.targets.end();
    if (table != function_.targets.end())
      for (const ptx::Operand &target : table->second) CUPILOT_CHECKED(add_target(unit, target));
    for (const ptx::Operand &part : operand.parts) CUPILOT_CHECKED(add_target(unit, part));
    return {};
  }

  const ptx::Function &function_;
  const Bindings &bindings_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> first_;  ///< unit before which a label stands, by statement
};

}  // namespace

bool changes(std::string_view special) {
  return special.starts_with("%clock") || special.starts_with("%globaltimer");
}

std::string at_line(std::uint32_t line, const std::string &what) {
  return fmt::format("line {}: {}", line, what);
}

Result<std::vector<Unit>> make_units(const ptx::Function &function, const Bindings &bindings) {
  return UnitMaker(function, bindings).make();
}

}  // namespace cupilot::emulate::program
