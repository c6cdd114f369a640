// SPDX-License-Identifier: Apache-2.0
//
// The remembered accesses to a device's memory in one launch, in pages that exist where the launch touches
// memory. Pages outlive launches, because touching fresh memory costs more than everything else. Threads
// are numbered on from launch to launch, so a cell of an earlier launch is recognised by its thread number.
// Private to check/.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "evolution/emulate/check/cell.h"
#include "evolution/emulate/check/publication.h"
#include "evolution/emulate/memory/memory.h"

namespace cupilot::emulate::check {

/// Cells of one page of device memory.
struct CellPage {
  Cells cells;
  unsigned shift = 2;  ///< a granule is 1 << shift bytes
  /// Whether a thread wrote or read the page in this launch; if not, there is no conflict to look for.
  std::atomic<bool> written{false}, read{false};
};

class GlobalCells {
public:
  explicit GlobalCells(const memory::Memory &memory);
  bool available() const { return static_cast<bool>(pages_); }

  /// Reserves `count` thread numbers for a launch and returns the first; 0: there are not enough numbers.
  std::uint32_t number_threads(std::uint64_t count);
  void end_launch();

  /// The page of `address`, with granules no wider than `bytes`. Null when memory runs out or the address is
  /// outside the device's memory.
  CellPage *page(std::uint64_t address, unsigned bytes) {
    if (address - begin_ >= end_ - begin_) return nullptr;
    CellPage *page = __atomic_load_n(&pages_[(address - begin_) / kPage], __ATOMIC_ACQUIRE);
    if (page && (1u << page->shift) <= bytes) [[likely]]
      return page;
    return make_page((address - begin_) / kPage, bytes);
  }

  std::mutex in_use;  ///< held by the launch that uses the cells
  static constexpr std::uint64_t kPage = 4096;

private:
  CellPage *make_page(std::uint64_t index, unsigned bytes);
  CellPage *take(unsigned shift);
  void split(const CellPage &from, CellPage &to) const;

  const std::uint64_t begin_, end_;
  LazyArray<CellPage *> pages_;  ///< indexed by page of device memory; null: not touched in this launch
  std::mutex making_;
  std::vector<LazyArray<std::byte>> slabs_;
  std::vector<std::unique_ptr<CellPage>> all_;
  std::vector<CellPage *> unused_[3];  ///< pages to reuse, by shift
  std::vector<CellPage *> in_launch_;
  std::vector<std::uint64_t> touched_;         ///< indices into pages_
  static constexpr std::uint64_t kFirst = 32;  ///< thread number 0 stands for no thread
  std::uint64_t next_thread_ = kFirst;
};

}  // namespace cupilot::emulate::check
