// SPDX-License-Identifier: Apache-2.0
//
// The part that all bind functions of arithmetic share: finds the handlers' table entry for the words of an
// instruction.

#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "evolution/emulate/lanes/table.h"
#include "evolution/emulate/program/binding.h"
#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::lanes {

/// The tables of one family for one vector extension, indexed by PTX spelling.
class LaneLookup {
public:
  void add(LaneTable table);
  const LaneEntry *find(std::string_view name) const;

private:
  std::unordered_map<std::string_view, const LaneEntry *> entries_;
};

/// The same tables for every extension; CUPILOT_LANES(x) names the three of x_lanes.cpp.
struct IsaTables {
  LaneTable (*of[3])();
};
#if defined(__x86_64__)
#define CUPILOT_LANES(x)                                      \
  cupilot::emulate::lanes::IsaTables {                        \
    {                                                         \
      baseline::x##_table, avx2::x##_table, avx512::x##_table \
    }                                                         \
  }
#else
#define CUPILOT_LANES(x)                                            \
  IsaTables {                                                       \
    {                                                               \
      baseline::x##_table, baseline::x##_table, baseline::x##_table \
    }                                                               \
  }
#endif

class FamilyLookup {
public:
  explicit FamilyLookup(std::initializer_list<IsaTables> tables);
  const LaneEntry *find(std::string_view name, program::Isa isa) const;

private:
  std::vector<LaneLookup> by_isa_;
};

/// The cost of one instruction, see Binding.
struct Price {
  program::Pipe pipe = program::Pipe::alu;
  float cost = 1;
};

std::vector<program::OperandUse> uses_of(const char *uses);
program::Binding binding_of(const LaneEntry &entry, Price price);

/// The words joined by dots, without those in `drop`.
std::string spelled(const std::vector<std::string_view> &words,
                    std::initializer_list<std::string_view> drop = {});
bool has_word(const ptx::Instruction &instruction, std::string_view word);
/// The last word: the type, for most instructions.
std::string_view type_word(const ptx::Instruction &instruction);
/// "s32" -> 32, "f16x2" -> 32, "pred" -> 1; 0: not a type.
int bits_of_type(std::string_view type);
/// Bits of the register that an operand names, from its declaration; 0: not a register.
int register_bits(const program::BindRequest &request, const ptx::Operand &operand);

}  // namespace cupilot::emulate::lanes
