// SPDX-License-Identifier: Apache-2.0
//
// Turns the steps of a basic block into positions in machine order. It finds the registers each step needs,
// merges sequences that become one instruction, and moves loads up.

#pragma once

#include <unordered_map>
#include <vector>

#include "evolution/emulate/estimate/block_code.h"

namespace cupilot::emulate::estimate {

class Draft {
public:
  Draft(const program::Program &program, const DeviceTable &device) : program_(program), device_(device) {}
  /// Appends one iteration of the block's steps; `last`: its counter, comparison and jump are executed.
  void add(std::uint32_t begin, std::uint32_t end, unsigned iteration, bool last);
  void finish(BlockCode &code);

private:
  struct Line {
    std::uint32_t pc = 0;
    unsigned iteration = 0;
    MachineCost cost;
    std::uint16_t merged = 0;
    std::vector<std::int32_t> needs;  ///< indices of lines, or ~register
    unsigned words = 0;               ///< number of registers that a load fills
  };

  void add_step(std::uint32_t pc, unsigned iteration, bool last);
  void drop_additions_of_products();
  void merge_shared_loads();
  std::vector<std::uint32_t> order() const;
  void schedule(const std::vector<std::uint32_t> &window, std::vector<std::uint32_t> &done) const;
  std::vector<double> ways_to_end(const std::vector<std::uint32_t> &window) const;
  const ptx::Instruction *instruction_of(std::uint32_t pc) const;

  const program::Program &program_;
  const DeviceTable &device_;
  std::vector<Line> lines_;
  std::unordered_map<std::uint32_t, std::uint32_t> setter_;  ///< register -> line
};

}  // namespace cupilot::emulate::estimate
