// SPDX-License-Identifier: Apache-2.0
//
// What a kernel computes from its arguments, constants and the sizes of grid and block alone is the same for
// all threads and needs no run. Of one launch it tells the truth of each such condition of the variant's
// text. Values that loops carry, that memory holds or that more than one instruction writes are not followed.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::session {

struct LaunchValues {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::span<const std::vector<std::byte>> arguments;  ///< one per parameter
};

struct UniformTruth {
  std::uint32_t pc = 0;
  bool value = false;
};

class UniformValues {
public:
  /// `function` is an entry of the program, which must outlive this object.
  UniformValues(const program::Program &program, std::uint32_t function);

  /// By pc. A condition whose value is not known for this launch (a division by zero) is left out.
  std::vector<UniformTruth> truths(const LaunchValues &launch) const;

  /// Integers among the constants that they are computed with, ascending.
  std::vector<std::int64_t> numbers() const;

private:
  /// Where an operand's bits come from.
  struct Source {
    enum class From : std::uint8_t { constant, result, parameter, grid, block } from = From::constant;
    std::uint32_t index = 0;   ///< of the result; of the parameter; of the axis
    std::uint32_t offset = 0;  ///< in the parameter
    std::uint64_t bits = 0;    ///< of the constant
    bool negated = false;      ///< of a predicate
  };
  struct Operation {
    const ptx::Instruction *instruction = nullptr;
    std::vector<Source> given;
    std::uint32_t pc = 0;
    bool tells = false;  ///< it is a condition of the variant's text
  };

  std::optional<Source> source_of(const ptx::Operand &operand, bool floating, int bits) const;
  void add(const program::Program &program, const program::FunctionCode &code, std::uint32_t pc);

  const ptx::Function &function_;
  std::vector<std::optional<std::uint32_t>> result_of_;  ///< by register
  std::vector<std::uint32_t> writers_;                   ///< by register: how many
  std::vector<Operation> operations_;
};

}  // namespace cupilot::emulate::session
