// SPDX-License-Identifier: Apache-2.0
//
// Models the instruction order that ptxas gives a basic block. Loads move up as far as their addresses and
// the number of registers allow, short counted loops are unrolled four times, and neighbouring shared loads
// are merged into wide ones. The replay executes the resulting positions in order.

#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "evolution/emulate/estimate/machine_cost.h"

namespace cupilot::emulate::estimate {

struct Position {
  std::uint32_t pc = 0;
  std::uint16_t iteration = 0;  ///< iteration of the unrolled loop
  /// Later shared loads merged into it; 0xffff: merged into an earlier one.
  std::uint16_t merged = 0;
  MachineCost cost;
  std::uint32_t first_need = 0, needs = 0;  ///< range in BlockCode::needs
};
inline constexpr std::uint16_t kDoneByOther = 0xffff;

struct BlockCode {
  std::uint32_t begin = 0, end = 0;  ///< steps
  unsigned iterations = 1;
  std::vector<Position> positions;
  /// The values that positions wait for. Not negative: a position of this block. Negative: register ~need,
  /// set before the block.
  std::vector<std::int32_t> needs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> results;  ///< register, the position that sets it last
};

class CodeBook {
public:
  CodeBook(const program::Program &program, const DeviceTable &device) : program_(program), device_(device) {}
  /// The block that contains `pc`; `unrolled`: four iterations of a loop that is a single block.
  const BlockCode &at(std::uint32_t pc, bool unrolled = false);
  /// True when the block is a short counted loop that jumps back to itself.
  bool unrolls(std::uint32_t pc);

private:
  std::unique_ptr<BlockCode> compile(std::uint32_t begin, std::uint32_t end, unsigned iterations) const;
  std::pair<std::uint32_t, std::uint32_t> range(std::uint32_t pc) const;

  const program::Program &program_;
  const DeviceTable &device_;
  std::unordered_map<std::uint64_t, std::unique_ptr<BlockCode>> codes_;
  std::unordered_map<std::uint32_t, bool> unrolls_;
};

/// The unroll factor of ptxas, seen in the size of its code.
inline constexpr unsigned kUnrolled = 4;

}  // namespace cupilot::emulate::estimate
