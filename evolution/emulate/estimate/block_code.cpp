// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/block_code.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "evolution/emulate/estimate/block_order.h"

namespace cupilot::emulate::estimate {

namespace {

constexpr std::size_t kMostUnrolledSteps = 44;

const ptx::Instruction *instruction_of(const program::Program &program, std::uint32_t pc) {
  const program::StepInfo &info = program.info[pc];
  if (info.instruction == program::kNowhere) return nullptr;
  return &program.functions[info.function].source->body[info.instruction];
}

/// A counter: "add r, r, constant".
bool counts(const ptx::Instruction &instruction) {
  if (instruction.words.empty() || (instruction.words[0] != "add" && instruction.words[0] != "sub"))
    return false;
  const auto &operands = instruction.operands;
  return operands.size() == 3 && operands[0].kind == ptx::Operand::Kind::reg &&
         operands[1].kind == ptx::Operand::Kind::reg && operands[0].index == operands[1].index &&
         operands[2].kind == ptx::Operand::Kind::integer;
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> CodeBook::range(std::uint32_t pc) const {
  const auto &info = program_.info;
  std::uint32_t begin = pc, end = pc + 1;
  while (begin > 0 && info[begin - 1].block == info[pc].block) --begin;
  while (end < info.size() && info[end].block == info[pc].block) ++end;
  return {begin, end};
}

bool CodeBook::unrolls(std::uint32_t pc) {
  const auto [begin, end] = range(pc);
  if (const auto known = unrolls_.find(begin); known != unrolls_.end()) return known->second;
  bool compared = false, wall = false, kept_rolled = false;
  std::set<std::uint32_t> counters;
  for (std::uint32_t at = begin; at < end; ++at) {
    const auto *instruction = instruction_of(program_, at);
    if (!instruction || instruction->words.empty()) continue;
    if (counts(*instruction)) counters.insert(instruction->operands[0].index);
    const auto name = instruction->words[0];
    if (name == "setp" && instruction->operands.size() >= 2)
      for (const auto &operand : instruction->operands)
        compared |= operand.kind == ptx::Operand::Kind::reg && counters.contains(operand.index);
    wall |= name == "bar" || name == "atom" || name == "call";
    kept_rolled |= name == "pragma";
  }
  const bool yes = compared && !wall && !kept_rolled && end - begin <= kMostUnrolledSteps;
  return unrolls_[begin] = yes;
}

const BlockCode &CodeBook::at(std::uint32_t pc, bool unrolled) {
  const auto [begin, end] = range(pc);
  auto &code = codes_[static_cast<std::uint64_t>(begin) * 2 + unrolled];
  if (!code) code = compile(begin, end, unrolled ? kUnrolled : 1);
  return *code;
}

std::unique_ptr<BlockCode> CodeBook::compile(std::uint32_t begin, std::uint32_t end,
                                             unsigned iterations) const {
  auto code = std::make_unique<BlockCode>();
  code->begin = begin;
  code->end = end;
  code->iterations = iterations;
  Draft draft(program_, device_);
  for (unsigned iteration = 0; iteration < iterations; ++iteration)
    draft.add(begin, end, iteration, iteration + 1 == iterations);
  draft.finish(*code);
  return code;
}

}  // namespace cupilot::emulate::estimate
