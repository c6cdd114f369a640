// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/lanes/lookup.h"

#include <algorithm>
#include <charconv>

namespace cupilot::emulate::lanes {

void LaneLookup::add(LaneTable table) {
  for (std::size_t i = 0; i < table.count; ++i) entries_.emplace(table.entries[i].name, &table.entries[i]);
}

const LaneEntry *LaneLookup::find(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second;
}

FamilyLookup::FamilyLookup(std::initializer_list<IsaTables> tables) {
  for (int isa = 0; isa < 3; ++isa) {
    LaneLookup all;
    for (const IsaTables &each : tables) all.add(each.of[isa]());
    by_isa_.push_back(std::move(all));
  }
}

const LaneEntry *FamilyLookup::find(std::string_view name, program::Isa isa) const {
  return by_isa_[static_cast<std::size_t>(isa)].find(name);
}

std::vector<program::OperandUse> uses_of(const char *uses) {
  std::vector<program::OperandUse> all;
  for (; *uses != 0; ++uses) {
    const bool defined = *uses >= 'A' && *uses <= 'Z';
    const char code = static_cast<char>(defined ? *uses - 'A' + 'a' : *uses);
    program::OperandUse use;
    use.defined = defined;
    use.real = code == 'f' || code == 'g';
    switch (code) {
      case 'p':
        use.bits = 1;
        break;
      case 'b':
        use.bits = 8;
        break;
      case 'h':
        use.bits = 16;
        break;
      case 'd':
      case 'g':
        use.bits = 64;
        break;
      case 'q':
        use.bits = 128;
        break;
      default:
        use.bits = 32;
        break;
    }
    all.push_back(use);
  }
  return all;
}

program::Binding binding_of(const LaneEntry &entry, Price price) {
  program::Binding binding;
  binding.run = entry.run;
  binding.uses = uses_of(entry.uses);
  binding.pipe = price.pipe;
  binding.cost = price.cost;
  return binding;
}

std::string spelled(const std::vector<std::string_view> &words,
                    std::initializer_list<std::string_view> drop) {
  std::string text;
  for (std::string_view word : words) {
    if (std::find(drop.begin(), drop.end(), word) != drop.end()) continue;
    if (!text.empty()) text += '.';
    text += word;
  }
  return text;
}

bool has_word(const ptx::Instruction &instruction, std::string_view word) {
  return std::find(instruction.words.begin(), instruction.words.end(), word) != instruction.words.end();
}

std::string_view type_word(const ptx::Instruction &instruction) {
  return instruction.words.empty() ? std::string_view() : instruction.words.back();
}

int bits_of_type(std::string_view type) {
  if (type == "pred") return 1;
  if (type == "bf16") return 16;
  if (type == "f16x2" || type == "bf16x2" || type == "tf32" || type == "u16x2" || type == "s16x2") return 32;
  if (type.size() < 2 || std::string_view("busf").find(type[0]) == std::string_view::npos) return 0;
  int bits = 0;
  const auto [end, error] = std::from_chars(type.data() + 1, type.data() + type.size(), bits);
  return error == std::errc() && end == type.data() + type.size() ? bits : 0;
}

int register_bits(const program::BindRequest &request, const ptx::Operand &operand) {
  if (operand.kind != ptx::Operand::Kind::reg || operand.index >= request.function.registers.size()) return 0;
  return request.function.registers[operand.index].type.bits;
}

}  // namespace cupilot::emulate::lanes
