// SPDX-License-Identifier: Apache-2.0
//
// What is remembered of a device's memory: arrays beside the whole reserved stretch, which the system fills
// with zeroes where they are touched. They outlive a launch: threads are numbered on from launch to launch,
// so what earlier launches left is told by its number. Private to check/.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "evolution/emulate/check/cell.h"
#include "evolution/emulate/check/publication.h"
#include "evolution/emulate/memory/memory.h"

namespace cupilot::emulate {

class GlobalCells {
public:
  explicit GlobalCells(const Memory &memory);
  bool available() const { return available_; }

  /// Numbers for the threads of a launch; 0: more than there are numbers.
  std::uint32_t number_threads(std::uint64_t count);

  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address >= begin_ && address < end_ && bytes <= end_ - address;
  }
  unsigned shift(std::uint64_t address) const {
    return 2u - __atomic_load_n(&splits_[(address - begin_) / kPage], __ATOMIC_ACQUIRE);
  }
  Cells cells(std::uint64_t address, unsigned shift) const {
    return levels_[2 - shift].cells.at((address - begin_) >> shift);
  }
  /// An access of `bytes` comes: granules of its page may not be wider.
  void refine(std::uint64_t address, unsigned bytes) {
    while ((1u << shift(address)) > bytes) split(address);
  }

  std::mutex in_use;  ///< by one launch
  static constexpr std::uint64_t kPage = 4096;

private:
  struct Level {
    LazyArray<Cell> writer, reader, second;
    LazyArray<std::uint32_t> writer_pc, reader_pc, second_pc;
    Cells cells;
  };
  void split(std::uint64_t address);

  const std::uint64_t begin_, end_;
  bool available_ = true;
  Level levels_[3];  ///< granules of 4, 2, 1 bytes
  LazyArray<std::uint8_t> splits_;
  std::mutex splitting_;
  std::uint64_t next_thread_ = kLanesOfFirst;
  static constexpr std::uint64_t kLanesOfFirst = 32;  ///< 0 means nobody
};

}  // namespace cupilot::emulate
