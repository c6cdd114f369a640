// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/machine/shared_use.h"

#include <algorithm>
#include <string_view>

namespace cupilot::emulate::machine {

namespace {

using Kind = ptx::Operand::Kind;

/// Where a value comes from: not known yet, from no shared variable, from several or in an unknown way, or
/// (not negative) from the variable of that index.
using Origin = std::int32_t;
constexpr Origin kOpen = -3, kElsewhere = -2, kUncertain = SharedUse::kUncertain;

Origin merged(Origin a, Origin b) {
  if (a == kOpen) return b;
  return b == kOpen || a == b ? a : kUncertain;
}

/// Of a sum: one pointer and offsets.
Origin added(Origin a, Origin b) {
  if (a == kElsewhere || a == kOpen) return b == kOpen ? a : b;
  return b == kElsewhere || b == kOpen ? a : kUncertain;
}

bool names_word(const ptx::Instruction &instruction, std::string_view word) {
  return std::ranges::find(instruction.words, word) != instruction.words.end();
}

class FunctionUse {
public:
  FunctionUse(const program::Program &program, std::uint32_t function)
      : program_(program),
        function_(program.module->functions[function]),
        code_(program.functions[function]),
        origins_(function_.registers.size(), kOpen) {
    for (std::uint32_t pc = code_.begin; pc < code_.end; ++pc)
      if (program.info[pc].function == function && program.info[pc].instruction < function_.body.size())
        pcs_.push_back(pc);
  }

  void find(SharedUse &use) {
    for (bool more = true; more;) {
      more = false;
      for (const std::uint32_t pc : pcs_)
        for (const std::uint32_t reg : program_.info[pc].defines) {
          const Origin now = merged(origins_[reg], result_of(pc));
          more |= now != origins_[reg];
          origins_[reg] = now;
        }
    }
    for (const std::uint32_t pc : pcs_) {
      const ptx::Instruction &instruction = at(pc);
      const std::string_view name = instruction.words.front();
      if (name != "ld" && name != "st" && name != "atom" && name != "red") continue;
      for (const ptx::Operand &operand : instruction.operands)
        if (operand.kind == Kind::address && !operand.parts.empty())
          if (const Origin origin = origin_of(operand.parts.front()); origin >= 0) use.object[pc] = origin;
      if (name == "ld" && (names_word(instruction, "volatile") || names_word(instruction, "relaxed")))
        use.exchanged[pc] = !decides_a_loop(pc);
    }
  }

private:
  const ptx::Instruction &at(std::uint32_t pc) const { return function_.body[program_.info[pc].instruction]; }

  Origin variable_of(std::string_view name) const {
    for (const auto *list : {&function_.variables, &program_.module->variables})
      for (const ptx::Variable &variable : *list) {
        if (variable.name != name) continue;
        const auto known = std::ranges::find(program_.shared, &variable);
        return known == program_.shared.end() ? kElsewhere
                                              : static_cast<Origin>(known - program_.shared.begin());
      }
    return kElsewhere;
  }

  Origin origin_of(const ptx::Operand &operand) const {
    if (operand.kind == Kind::reg) return origins_[operand.index];
    if (operand.kind == Kind::symbol) return variable_of(operand.name);
    Origin any = kElsewhere;
    for (const ptx::Operand &part : operand.parts)
      if (const Origin origin = origin_of(part); origin >= 0 || origin == kUncertain) any = kUncertain;
    return any;
  }

  /// What the instruction's results come from.
  Origin result_of(std::uint32_t pc) const {
    const ptx::Instruction &instruction = at(pc);
    const std::string_view name = instruction.words.front();
    const auto &operands = instruction.operands;
    const auto of = [&](std::size_t i) { return i < operands.size() ? origin_of(operands[i]) : kElsewhere; };
    if (name == "ld" || name == "atom" || name == "call" || name == "setp" || name == "set")
      return kElsewhere;
    if ((name == "mov" || name == "cvta" || name == "cvt") && operands.size() == 2) return of(1);
    if ((name == "add" || name == "or" || name == "and") && operands.size() == 3) return added(of(1), of(2));
    if (name == "sub" && of(2) < 0 && of(2) != kUncertain) return of(1);
    if (name == "mad" && of(1) < 0 && of(2) < 0 && of(1) != kUncertain && of(2) != kUncertain) return of(3);
    if (name == "selp") return merged(of(1), of(2));
    for (std::size_t i = 1; i < operands.size(); ++i)
      if (const Origin origin = of(i); origin >= 0 || origin == kUncertain) return kUncertain;
    return kElsewhere;
  }

  /// Whether a branch that leaves or repeats a loop around `load` depends on its value.
  bool decides_a_loop(std::uint32_t load) const {
    std::vector<bool> tainted(function_.registers.size());
    for (const std::uint32_t reg : program_.info[load].defines) tainted[reg] = true;
    const auto reads_it = [&](std::uint32_t pc) {
      return std::ranges::any_of(program_.info[pc].reads, [&](std::uint32_t reg) { return tainted[reg]; });
    };
    for (bool more = true; more;) {
      more = false;
      for (const std::uint32_t pc : pcs_) {
        if (!reads_it(pc)) continue;
        for (const std::uint32_t reg : program_.info[pc].defines) {
          more |= !tainted[reg];
          tainted[reg] = true;
        }
      }
    }
    for (const std::uint32_t back : pcs_) {
      if (!is_branch(back) || target_of(back) > load || back < load) continue;
      for (const std::uint32_t branch : pcs_) {
        if (!is_branch(branch) || branch < target_of(back) || branch > back || !reads_it(branch)) continue;
        const std::uint32_t to = target_of(branch);
        if (branch == back || to <= target_of(back) || to > back) return true;
      }
    }
    return false;
  }

  bool is_branch(std::uint32_t pc) const { return program_.steps[pc].flow == program::Flow::branch; }
  std::uint32_t target_of(std::uint32_t pc) const {
    return static_cast<std::uint32_t>(program_.steps[pc].data);
  }

  const program::Program &program_;
  const ptx::Function &function_;
  const program::FunctionCode &code_;
  std::vector<std::uint32_t> pcs_;
  std::vector<Origin> origins_;  ///< by register
};

}  // namespace

SharedUse shared_use(const program::Program &program) {
  SharedUse use{std::vector<std::int32_t>(program.steps.size(), SharedUse::kUncertain),
                std::vector<bool>(program.steps.size())};
  for (std::uint32_t function = 0; function < program.functions.size(); ++function)
    FunctionUse(program, function).find(use);
  return use;
}

}  // namespace cupilot::emulate::machine
