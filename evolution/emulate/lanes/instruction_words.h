// SPDX-License-Identifier: Apache-2.0
//
// How bind functions outside arithmetic read an instruction: every word must be taken by somebody, so that a
// qualifier nobody knows makes the instruction unsupported instead of being ignored; operands become uses.

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

/// Collects Binding::uses in PTX order.
class UseList {
public:
  explicit UseList(const BindRequest &request) : request_(request) {}

  std::size_t size() const { return uses_.size(); }
  /// A scalar, or every member of a vector or pair. Returns the flattened place of the first.
  std::uint8_t reads(const ptx::Operand &operand, std::uint8_t bits);
  std::uint8_t writes(const ptx::Operand &operand, std::uint8_t bits);
  AddressOperand address(const ptx::Operand &operand);
  std::vector<OperandUse> done() { return std::move(uses_); }

private:
  std::uint8_t add(const ptx::Operand &operand, OperandUse use);
  const BindRequest &request_;
  std::vector<OperandUse> uses_;
};

/// Whether the operand is a predicate register.
bool is_predicate(const BindRequest &request, const ptx::Operand &operand);
/// Flattened members of an operand: 1, or those of its vector or pair.
std::size_t members_of(const ptx::Operand &operand);

}  // namespace cupilot::emulate
