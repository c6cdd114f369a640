// SPDX-License-Identifier: Apache-2.0
//
// How bind functions outside of arithmetic read an instruction. Every word must be taken by somebody, so an
// unknown qualifier makes the instruction unsupported instead of being ignored. Operands become uses.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evolution/emulate/program/binding.h"

namespace cupilot::emulate {

class InstructionWords {
public:
  explicit InstructionWords(const ptx::Instruction &instruction)
      : words_(instruction.words), taken_(words_.size()) {}

  /// True when the word is there (each occurrence is taken once, from the left).
  bool take(std::string_view word);
  /// True when it is the leftmost word left: the opcode.
  bool take_first(std::string_view word) { return next() == word && take(word); }
  /// The place in `choices` of the one that is there, or -1.
  int take_one(std::initializer_list<std::string_view> choices);
  /// As take_one, but the leftmost word that is any of them.
  int take_leftmost(std::initializer_list<std::string_view> choices);
  /// As take_one, for a word that starts with `prefix`; empty when there is none.
  std::string_view take_prefixed(std::string_view prefix);
  /// The leftmost word left.
  std::string_view next() const;
  /// Words that only say where in the caches data shall go: accepted, without meaning here.
  /// Returns true when there is an operand more for it (.L2::cache_hint).
  bool take_cache_hints();
  /// True when all words were taken; else names one in `why`.
  bool complete(std::string &why) const;

private:
  std::vector<std::string_view> words_;
  std::vector<bool> taken_;
};

/// `.shared`, `.shared::cta`, `.global`, ...; generic when none is named.
ptx::Space take_space(InstructionWords &words);

/// A scalar type by its PTX name without the dot; bits 0: not one.
struct ScalarType {
  char kind = 0;  ///< u s b f, h (f16), g (bf16); packed pairs: H (f16x2), G (bf16x2)
  std::uint8_t bits = 0;
};
ScalarType scalar_type(std::string_view name);

/// An address operand: what the handler needs beside the flattened base.
struct AddressOperand {
  std::uint8_t flat = 0;  ///< place of the base among flattened operands
  bool wide = true;       ///< the base is a 64-bit value
  std::int64_t offset = 0;
};

/// Collects Binding::uses in PTX order. Operands an instruction cannot have (`_` that is read, a vector for a
/// scalar, a literal that is written) spoil the list: it comes out empty, see settled().
class UseList {
public:
  explicit UseList(const BindRequest &request) : request_(request) {}

  /// Each returns the flattened place of the first member.
  std::uint8_t reads(const ptx::Operand &scalar, std::uint8_t bits);
  std::uint8_t writes(const ptx::Operand &scalar, std::uint8_t bits);
  std::uint8_t writes_or_drops(const ptx::Operand &scalar, std::uint8_t bits);  ///< may be `_`
  std::uint8_t reads_all(const ptx::Operand &vector, std::uint8_t bits);
  std::uint8_t writes_all(const ptx::Operand &vector, std::uint8_t bits);
  AddressOperand address(const ptx::Operand &operand);
  std::vector<OperandUse> done();

private:
  enum class Need : std::uint8_t { value, place, place_or_sink };
  void add(const ptx::Operand &member, OperandUse use, Need need);
  std::uint8_t add_all(const ptx::Operand &vector, OperandUse use, Need need);
  std::uint8_t next() const { return static_cast<std::uint8_t>(uses_.size()); }
  const BindRequest &request_;
  std::vector<OperandUse> uses_;
  bool spoilt_ = false;
};

/// The last step of a family's bind function: drops a binding with spoilt operands and makes sure `why` says
/// something when there is none (the decoder puts the opcode before it).
std::optional<Binding> settled(std::optional<Binding> binding, const BindRequest &request, std::string &why);

/// Whether the operand is a predicate register.
bool is_predicate(const BindRequest &request, const ptx::Operand &operand);
/// Flattened members of an operand: 1, or those of its vector or pair.
std::size_t members_of(const ptx::Operand &operand);

}  // namespace cupilot::emulate
