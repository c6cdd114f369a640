// SPDX-License-Identifier: Apache-2.0
//
// The rules of shared memory and of global memory: which earlier accesses can conflict, where the cells of an
// address are, and a fast path for lanes with contiguous addresses. Private to check/.

#pragma once

#include <memory>
#include <mutex>

#include "evolution/emulate/check/block_clock.h"
#include "evolution/emulate/check/global_cells.h"
#include "evolution/emulate/check/runs.h"
#include "evolution/emulate/check/shared_cells.h"
#include "evolution/emulate/check/touch.h"

namespace cupilot::emulate::check {

struct GlobalShadow::State {
  State(std::uint64_t block_count, std::uint32_t warp_count)
      : publication(block_count, warp_count), warps(warp_count) {}
  Publication publication;
  std::shared_ptr<GlobalCells> cells;
  std::unique_lock<std::mutex> hold;
  const std::uint32_t warps;
  std::uint32_t first = 0;  ///< number of the launch's first thread
  std::uint32_t last = 0;
};

/// Base-2 logarithm of the number of granules that a lane covers; -1: not a whole number, or too many.
inline int ratio_of(unsigned bytes, unsigned shift) {
  if (bytes >> shift == 0 || (bytes & (bytes - 1))) return -1;
  return __builtin_ctz(bytes) - static_cast<int>(shift);
}

inline bool quick(const TouchRequest &request) {
  return request.together && request.mask == program::Mask{0xffffffff} && !request.atomic &&
         !request.in_block && !request.asynchronous && !request.exchanged;
}

inline Run make_run(const TouchRequest &request, const Cells &cells, int ratio, std::uint32_t who,
                    std::uint32_t stamp) {
  return {.cells = cells,
          .lanes = request.together,
          .ratio = static_cast<unsigned>(ratio),
          .stamp = make_cell(stamp, 0, request.weak ? 0 : kStrong),
          .who = who,
          .pc = request.pc};
}

/// Processes groups of lanes with contiguous addresses, with the fast path where possible: `once(lane)`
/// handles the group that begins at that lane.
template <typename Rules, typename Quick>
TouchAnswer touch_groups(Rules &rules, const TouchRequest &request, Quick &&once) {
  if (!quick(request)) return Touch(rules, request, request.mask).run();
  TouchAnswer answer;
  for (int lane = 0; lane < program::kLanes; lane += request.together) {
    if (once(lane)) continue;
    const program::Mask group = request.together == program::kLanes
                                    ? program::Mask{0xffffffff}
                                    : ((program::Mask{1} << request.together) - 1) << lane;
    TouchAnswer one = Touch(rules, request, group).run();
    if (!answer.race) answer = one;
  }
  return answer;
}

/// Threads in shared cells are numbered from 32 on; 0 stands for no thread.
struct SharedRules {
  static constexpr bool kOfBlocks = false;
  BlockClock &clock;
  SharedCells &memory;
  const TouchRequest &request;
  std::uint64_t block;

  CellView view(std::uint64_t address) const { return {memory.cells(address), memory.shift()}; }
  bool live(Cell cell) const { return (cell & ~(kStrong | kAtomic)) >= make_cell(clock.floor(), 0); }
  bool near(Cell cell) const { return who_of(cell) / program::kLanes == request.warp + 1; }
  bool ordered(Cell cell, int lane) const {
    const std::uint32_t thread = who_of(cell) - program::kLanes;
    return clock.ordered(thread / program::kLanes, static_cast<int>(thread % program::kLanes), stamp_of(cell),
                         request.warp, lane);
  }
  bool lockstep(Cell cell) const { return near(cell) && !clock.fenced(request.warp, stamp_of(cell)); }
  std::uint32_t who(int lane) const {
    return (request.warp + 1) * program::kLanes + static_cast<std::uint32_t>(lane);
  }
  std::uint32_t stamp() const { return clock.now(); }
  Toucher toucher(Cell cell) const { return {.block = block, .thread = who_of(cell) - program::kLanes}; }
};

struct GlobalRules {
  static constexpr bool kOfBlocks = true;
  BlockClock &clock;
  GlobalShadow::State &memory;
  const TouchRequest &request;
  std::uint64_t block;
  std::uint32_t first;  ///< number of the block's first thread

  CellView view(std::uint64_t address) const {
    CellPage *page = memory.cells->page(address, request.bytes);
    if (!page) return {.there = false};
    (request.writes ? page->written : page->read).store(true, std::memory_order_relaxed);
    return {page->cells.at(address % GlobalCells::kPage >> page->shift), page->shift};
  }
  bool live(Cell cell) const { return who_of(cell) >= memory.first && who_of(cell) <= memory.last; }
  bool near(Cell cell) const { return who_of(cell) - first < memory.warps * program::kLanes; }
  bool ordered(Cell cell, int lane) const {
    const std::uint32_t warp = (who_of(cell) - memory.first) / program::kLanes;
    const std::uint64_t from = warp / memory.warps;
    if (from == block)
      return clock.ordered(warp % memory.warps, static_cast<int>(who_of(cell) % program::kLanes),
                           stamp_of(cell), request.warp, lane);
    return clock.acquired(from, warp % memory.warps, stamp_of(cell), request.warp);
  }
  bool lockstep(Cell cell) const { return !near(cell); }
  std::uint32_t who(int lane) const {
    return first + request.warp * program::kLanes + static_cast<std::uint32_t>(lane);
  }
  std::uint32_t stamp() const { return clock.now(); }
  Toucher toucher(Cell cell) const {
    const std::uint32_t thread = who_of(cell) - memory.first, in_block = memory.warps * program::kLanes;
    return {.block = thread / in_block, .thread = thread % in_block};
  }
};

/// The fast path for contiguous lanes within one page, from `lane` on.
inline bool quick_global(const GlobalRules &rules, int lane, const RunFunctions &runs) {
  const TouchRequest &request = rules.request;
  const std::uint64_t begin = request.address[lane];
  if (begin % GlobalCells::kPage + std::uint64_t{request.together} * request.bytes > GlobalCells::kPage)
    return false;
  CellPage *page = rules.memory.cells->page(begin, request.bytes);
  if (!page) return true;
  const int ratio = ratio_of(request.bytes, page->shift);
  if (ratio < 0 || ratio > 5) return false;
  Run run = make_run(request, page->cells.at(begin % GlobalCells::kPage >> page->shift), ratio,
                     rules.who(lane), rules.stamp());
  run.old = rules.memory.first;
  run.near = rules.first;
  run.near_count = rules.memory.warps * program::kLanes;
  run.written = page->written.load(std::memory_order_relaxed);
  if (request.read_only && run.written) return false;
  run.read = page->read.load(std::memory_order_relaxed);
  (request.writes ? page->written : page->read).store(true, std::memory_order_relaxed);
  return request.writes ? runs.write_global(run) : runs.read_global(run);
}

inline bool quick_shared(const SharedRules &rules, int lane, const RunFunctions &runs) {
  const TouchRequest &request = rules.request;
  const int ratio = ratio_of(request.bytes, rules.memory.shift());
  if (ratio < 0 || ratio > 5) return false;
  Run run =
      make_run(request, rules.memory.cells(request.address[lane]), ratio, rules.who(lane), rules.stamp());
  run.old = make_cell(rules.clock.floor(), 0);
  run.near = rules.who(0);
  return request.writes ? runs.write_shared(run) : runs.read_shared(run);
}

}  // namespace cupilot::emulate::check
