// SPDX-License-Identifier: Apache-2.0
//
// Basic blocks as ptxas would order them: within a block loads move up as far as their addresses allow and as
// registers last, short counted loops are unrolled four times, neighbouring shared loads become wide ones.
// The replay executes these positions in order.

#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "evolution/emulate/estimate/machine_cost.h"

namespace cupilot::emulate::estimation {

struct Position {
  std::uint32_t pc = 0;
  std::uint16_t iteration = 0;  ///< of an unrolled loop
  std::uint16_t merged =
      0;  ///< shared loads after this one that it also does; 0xffff: done by an earlier one
  MachineCost cost;
  std::uint32_t first_need = 0, needs = 0;  ///< in BlockCode::needs
};
inline constexpr std::uint16_t kDoneByOther = 0xffff;

struct BlockCode {
  std::uint32_t begin = 0, end = 0;  ///< steps
  unsigned iterations = 1;
  std::vector<Position> positions;
  /// Not negative: a position of this block. Negative: register ~need of before the block.
  std::vector<std::int32_t> needs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> results;  ///< register, the position that sets it last
};

class CodeBook {
public:
  CodeBook(const Program &program, const DeviceTable &device) : program_(program), device_(device) {}
  /// The block that `pc` is in; `unrolled`: four turns of a loop of one block.
  const BlockCode &at(std::uint32_t pc, bool unrolled = false);
  /// The block jumps back to itself, counts, and is short.
  bool unrolls(std::uint32_t pc);

private:
  std::unique_ptr<BlockCode> compile(std::uint32_t begin, std::uint32_t end, unsigned iterations) const;
  std::pair<std::uint32_t, std::uint32_t> range(std::uint32_t pc) const;

  const Program &program_;
  const DeviceTable &device_;
  std::unordered_map<std::uint64_t, std::unique_ptr<BlockCode>> codes_;
  std::unordered_map<std::uint32_t, bool> unrolls_;
};

/// Unrolling by ptxas, as sizes of its code show.
inline constexpr unsigned kUnrolled = 4;

}  // namespace cupilot::emulate::estimation
