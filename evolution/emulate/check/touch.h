// SPDX-License-Identifier: Apache-2.0
//
// Checks one access lane by lane and granule by granule: finds the earlier access that it conflicts with, and
// stores the new one. `Rules` decides which earlier accesses are ordered before it (for shared or for global
// memory). Private to check/.

#pragma once

#include <algorithm>
#include <cstring>

#include "evolution/emulate/check/cell.h"
#include "evolution/emulate/check/shadow.h"

namespace cupilot::emulate::check {

/// The cells of an access, from its first granule on.
struct CellView {
  Cells cells;
  unsigned shift = 2;  ///< a granule is 1 << shift bytes
  bool there = true;
};

/// `Rules` (SharedRules, GlobalRules) has:
///   kOfBlocks                      whether threads of several blocks meet
///   CellView view(address)         for the present access
///   bool live(Cell)                of this launch (block) and not ordered before everything
///   bool near(Cell)                of the same warp (global memory: block)
///   bool ordered(Cell, lane)       before the present access of that lane
///   bool lockstep(Cell)            of the same warp, with no fence since (global memory: of another block)
///   std::uint32_t who(lane), stamp()
///   Toucher toucher(Cell)
template <typename Rules>
class Touch {
public:
  Touch(Rules &rules, const TouchRequest &request, program::Mask mask)
      : rules_(rules), request_(request), mask_(mask) {
    flags_ = request.atomic ? kStrong | kAtomic : request.weak ? 0 : kStrong;
    if (request.asynchronous && request.writes) flags_ |= kPending;
    if (request.in_block && Rules::kOfBlocks) flags_ |= kInBlock;
  }

  TouchAnswer run() {
    for (program::Mask left = request_.writes ? mask_ : request_.heads & mask_; left; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      const bool enough = touch_lane(lane, request_.address[lane]);
      // When many lanes read one word, only the first two are stored.
      const program::Mask next = program::Mask{2} << lane;
      if (!enough && !request_.writes && (mask_ & ~request_.heads & next))
        touch_lane(lane + 1, request_.address[lane + 1]);
    }
    return answer_;
  }

private:
  /// Returns true when no further readers need to be stored.
  bool touch_lane(int lane, std::uint64_t address) {
    const CellView view = rules_.view(address);
    if (!view.there) return true;
    bool enough = true;
    const std::uint64_t count = std::max<std::uint64_t>(1, request_.bytes >> view.shift);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Cells cells = view.cells.at(i);
      const std::uint64_t at = address + (i << view.shift);
      check_writer(cells, lane, at, view.shift);
      if (request_.writes)
        write(cells, lane, at);
      else
        enough = read(cells, lane) && enough;
    }
    return enough;
  }

  void check_writer(const Cells &cells, int lane, std::uint64_t at, unsigned shift) {
    const Cell cell = *cells.writer;
    if (!rules_.live(cell)) return;
    if (cell & kPending) {
      conflict(lane, at, cell, *cells.writer_pc, true);
      return;
    }
    if (request_.read_only) {
      conflict(lane, at, cell, *cells.writer_pc, true);
      if (answer_.race) answer_.race->read_only = true;
      return;
    }
    if (who_of(cell) == rules_.who(lane)) return;
    if (rules_.ordered(cell, lane)) return;
    if (both_strong(cell)) {
      if (request_.exchanged && !(cell & kAtomic) && rules_.lockstep(cell))
        conflict(lane, at, cell, *cells.writer_pc, true, true);
      // Of two volatile stores one is lost; atomics lose none.
      if (request_.value && !request_.atomic && !(cell & kAtomic) &&
          !same_value(cell, *cells.writer_pc, lane, at, shift))
        conflict(lane, at, cell, *cells.writer_pc, true);
      return;
    }
    if (request_.writes && !(cell & kAtomic) && same_value(cell, *cells.writer_pc, lane, at, shift)) return;
    conflict(lane, at, cell, *cells.writer_pc, true);
  }

  bool both_strong(Cell cell) const {
    const bool strong = (cell & kStrong) && (flags_ & kStrong);
    return strong && (!((cell | flags_) & kInBlock) || rules_.near(cell));
  }

  void check_reader(Cell cell, std::uint32_t pc, int lane, std::uint64_t at) {
    if (!rules_.live(cell & ~kFar) || who_of(cell) == rules_.who(lane) || both_strong(cell)) return;
    if (!rules_.ordered(cell, lane)) conflict(lane, at, cell, pc, false);
  }

  void write(const Cells &cells, int lane, std::uint64_t at) {
    const Cell reader = *cells.reader;
    if (reader) {
      check_reader(reader, *cells.reader_pc, lane, at);
      if ((reader & kMore) && rules_.live(reader & ~kFar))
        check_reader(*cells.second, *cells.second_pc, lane, at);
      *cells.reader = 0;  // an access that conflicts with those readers also conflicts with this write
    }
    *cells.writer = make_cell(rules_.stamp(), rules_.who(lane), flags_);
    *cells.writer_pc = request_.pc;
  }

  bool read(const Cells &cells, int lane) {
    const Cell earlier = *cells.reader;
    Cell kept = 0;
    if (rules_.live(earlier & ~kFar)) {
      if (earlier & kFar) return true;
      kept = earlier & kMore;
      if (who_of(earlier) != rules_.who(lane)) {
        *cells.second = earlier;
        *cells.second_pc = *cells.reader_pc;
        kept = kMore | (rules_.near(earlier) ? 0 : kFar);
      }
    }
    *cells.reader = make_cell(rules_.stamp(), rules_.who(lane), flags_ | kept);
    *cells.reader_pc = request_.pc;
    return false;
  }

  /// Whether the store changes nothing: memory has the same bytes, or another lane writes them in the same
  /// instruction.
  bool same_value(Cell cell, std::uint32_t pc, int lane, std::uint64_t at, unsigned shift) const {
    if (!request_.value) return false;
    std::byte mine[32], theirs[32];
    const std::uint64_t from = request_.address[lane];
    const std::size_t offset = at - from, bytes = std::min<std::size_t>(1u << shift, request_.bytes - offset);
    request_.value(request_.context, lane, mine);
    const int other = static_cast<int>(who_of(cell) % program::kLanes);
    const bool together = pc == request_.pc && other < lane && (request_.mask >> other & 1) &&
                          who_of(cell) == rules_.who(other) && stamp_of(cell) == rules_.stamp() &&
                          request_.address[other] <= at && at < request_.address[other] + request_.bytes;
    if (!together) return std::memcmp(mine + offset, memory_at(at), bytes) == 0;
    request_.value(request_.context, other, theirs);
    return std::memcmp(mine + offset, theirs + (at - request_.address[other]), bytes) == 0;
  }

  const std::byte *memory_at(std::uint64_t at) const {
    return request_.memory ? request_.memory + at : reinterpret_cast<const std::byte *>(at);
  }

  void conflict(int lane, std::uint64_t at, Cell cell, std::uint32_t pc, bool writer, bool lockstep = false) {
    if (answer_.race) return;
    Toucher earlier = rules_.toucher(cell);
    earlier.pc = pc;
    earlier.write = writer;
    earlier.atomic = writer && (cell & kAtomic);
    answer_.race = Conflict{
        .earlier = earlier, .address = at, .asynchronous = writer && (cell & kPending), .lockstep = lockstep};
    answer_.lane = lane;
  }

  Rules &rules_;
  const TouchRequest &request_;
  const program::Mask mask_;  ///< the lanes of the request that are checked
  Cell flags_ = 0;
  TouchAnswer answer_;
};

}  // namespace cupilot::emulate::check
