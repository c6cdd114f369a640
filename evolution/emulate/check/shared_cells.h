// SPDX-License-Identifier: Apache-2.0
//
// The remembered accesses to one block's shared memory: cells of 4 bytes, or finer ones after a narrower
// access; which bytes were written; and asynchronous copies that have not arrived. Private to check/.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "evolution/emulate/check/cell.h"
#include "evolution/emulate/memory/written_bits.h"
#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::check {

class SharedCells {
public:
  SharedCells(std::uint32_t bytes, bool races);

  unsigned shift() const { return shift_; }
  Cells cells(std::uint64_t address) const { return cells_.at(address >> shift_); }
  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address < bytes_ && bytes <= bytes_ - address;
  }
  /// Makes granules no wider than `bytes`, before an access of that width.
  void refine(unsigned bytes) {
    while ((1u << shift_) > bytes) split();
  }
  void forget();  ///< forgets all accesses

  memory::WrittenBits written;

private:
  void allocate();
  void split();

  const std::uint32_t bytes_;
  unsigned shift_ = 2;
  std::vector<Cell> storage_;
  std::vector<std::uint32_t> pcs_;
  Cells cells_;
};

/// The asynchronous copies that were issued but not waited for, by thread and group.
class AsyncCopies {
public:
  explicit AsyncCopies(std::uint32_t threads) : groups_(threads) {}

  struct Copy {
    std::uint64_t address = 0;
    std::uint32_t thread = 0, group = 0;
    std::uint8_t bytes = 0;
  };
  void issue(std::uint32_t thread, std::uint64_t address, std::uint8_t bytes);
  void commit(std::uint32_t thread) { ++groups_[thread]; }
  /// Removes the copies that have arrived, which is all but the newest `left` groups of these lanes' threads.
  template <typename Do>
  void wait(std::uint32_t first_thread, program::Mask lanes, unsigned left, Do &&arrived) {
    std::size_t kept = 0;
    for (const Copy &copy : copies_) {
      const std::uint32_t lane = copy.thread - first_thread;
      if (lane < program::kLanes && (lanes >> lane & 1) && copy.group + left < groups_[copy.thread])
        arrived(copy);
      else
        copies_[kept++] = copy;
    }
    copies_.resize(kept);
  }
  bool empty() const { return copies_.empty(); }
  template <typename Do>
  void drop(Do &&dropped) {
    for (const Copy &copy : copies_) dropped(copy);
    copies_.clear();
    groups_.assign(groups_.size(), 0);
  }

private:
  std::vector<std::uint32_t> groups_;  ///< number of closed groups, by thread
  std::vector<Copy> copies_;
};

}  // namespace cupilot::emulate::check
