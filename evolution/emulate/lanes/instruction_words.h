// SPDX-License-Identifier: Apache-2.0
//
// Helps bind functions outside of arithmetic to read an instruction. Every word of its opcode must be taken,
// so an unknown qualifier makes the instruction unsupported instead of being ignored. UseList collects how
// the operands are used.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evolution/emulate/program/binding.h"

namespace cupilot::emulate::lanes {

class InstructionWords {
public:
  explicit InstructionWords(const ptx::Instruction &instruction)
      : words_(instruction.words), taken_(words_.size()) {}

  /// Takes the leftmost occurrence of the word that is not taken; false when there is none.
  bool take(std::string_view word);
  /// Takes the word if it is the leftmost one not taken, as the opcode is.
  bool take_first(std::string_view word) { return next() == word && take(word); }
  /// Takes the one of `choices` that is present and returns its index, or -1.
  int take_one(std::initializer_list<std::string_view> choices);
  /// Like take_one, but takes the leftmost word that is one of them.
  int take_leftmost(std::initializer_list<std::string_view> choices);
  /// Takes and returns a word that starts with `prefix`; empty when there is none.
  std::string_view take_prefixed(std::string_view prefix);
  /// The leftmost word that is not taken.
  std::string_view next() const;
  /// Takes cache hints, which have no effect here.
  /// Returns true when the instruction has an additional operand for them (.L2::cache_hint).
  bool take_cache_hints();
  /// True when all words were taken; else names one in `why`.
  bool complete(std::string &why) const;

private:
  std::vector<std::string_view> words_;
  std::vector<bool> taken_;
};

/// `.shared`, `.shared::cta`, `.global`, ...; generic when none is named.
ptx::Space take_space(InstructionWords &words);

/// A scalar type by its PTX name without the dot; bits 0: not a scalar type.
struct ScalarType {
  char kind = 0;  ///< u s b f, h (f16), g (bf16); packed pairs: H (f16x2), G (bf16x2)
  std::uint8_t bits = 0;
};
ScalarType scalar_type(std::string_view name);

/// An address operand: what the handler needs in addition to the value of the base.
struct AddressOperand {
  std::uint8_t flat = 0;  ///< index of the base among the flattened operands
  bool wide = true;       ///< the base is a 64-bit value
  std::int64_t offset = 0;
};

/// Collects Binding::uses in PTX order. Operands an instruction cannot have (`_` that is read, a vector for a
/// scalar, a literal that is written) make the whole list empty, see settled().
class UseList {
public:
  explicit UseList(const program::BindRequest &request) : request_(request) {}

  /// Each returns the index of the operand's first member among the flattened operands.
  std::uint8_t reads(const ptx::Operand &scalar, std::uint8_t bits);
  std::uint8_t writes(const ptx::Operand &scalar, std::uint8_t bits);
  std::uint8_t writes_or_drops(const ptx::Operand &scalar, std::uint8_t bits);  ///< may be `_`
  std::uint8_t reads_all(const ptx::Operand &vector, std::uint8_t bits);
  std::uint8_t writes_all(const ptx::Operand &vector, std::uint8_t bits);
  AddressOperand address(const ptx::Operand &operand);
  std::vector<program::OperandUse> done();

private:
  enum class Need : std::uint8_t { value, place, place_or_sink };
  void add(const ptx::Operand &member, program::OperandUse use, Need need);
  std::uint8_t add_all(const ptx::Operand &vector, program::OperandUse use, Need need);
  std::uint8_t next() const { return static_cast<std::uint8_t>(uses_.size()); }
  const program::BindRequest &request_;
  std::vector<program::OperandUse> uses_;
  bool spoilt_ = false;
};

/// The last step of a family's bind function: drops a binding with impossible operands and makes sure that
/// `why` has a text when there is no binding (the decoder puts the opcode before it).
std::optional<program::Binding> settled(std::optional<program::Binding> binding,
                                        const program::BindRequest &request, std::string &why);

/// Whether the operand is a predicate register.
bool is_predicate(const program::BindRequest &request, const ptx::Operand &operand);
/// Flattened members of an operand: 1, or those of its vector or pair.
std::size_t members_of(const ptx::Operand &operand);

}  // namespace cupilot::emulate::lanes
