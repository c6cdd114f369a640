// SPDX-License-Identifier: Apache-2.0
//
// Compiled once per vector extension: CUPILOT_ISA names the namespace. The standard library must not be
// included here.

#include "evolution/emulate/check/runs.h"

namespace cupilot::emulate::check::CUPILOT_ISA {
namespace {

constexpr Cell kFlags = kPending | kStrong | kAtomic | kInBlock;
constexpr Cell kOwn = kPending | 0xffffffff;  // own access of the thread, and not a pending copy

/// False: an earlier access that is ordered before everything, or of an earlier launch.
template <bool kShared>
inline bool live(Cell cell, Cell old) {
  return kShared ? cell >= old : (cell & 0xffffffff) >= old;
}

template <bool kShared, unsigned kRatio>
inline bool writers_fine(const Run &run) {
  Cell bad = 0;
  for (unsigned i = 0; i < (run.lanes << kRatio); ++i) {
    const Cell cell = run.cells.writer[i], who = run.who + (i >> kRatio);
    bad |= live<kShared>(cell & ~(kStrong | kAtomic), run.old) & ((cell & kOwn) != who);
  }
  return bad == 0;
}

/// True when all cells have two readers of different warps (global memory: blocks).
template <bool kShared, unsigned kRatio>
inline bool enough_readers(const Run &run) {
  Cell bad = 0;
  for (unsigned i = 0; i < (run.lanes << kRatio); ++i) {
    const Cell cell = run.cells.reader[i];
    bad |= static_cast<Cell>(!live<kShared>(cell & ~kFlags, run.old)) | (~cell & kFar);
  }
  return bad == 0;
}

/// A reader other than the thread itself is kept in the second array.
template <bool kShared, unsigned kRatio>
inline void read_after_others(const Run &run) {
  Cell *reader = run.cells.reader, *second = run.cells.second;
  for (unsigned i = 0; i < (run.lanes << kRatio); ++i) {
    const Cell cell = reader[i], who = run.who + (i >> kRatio);
    const bool present = live<kShared>(cell & ~kFlags, run.old);
    const bool other = present & ((cell & 0xffffffff) != who);
    const bool far = other & (((cell - run.near) & 0xffffffff) >= run.near_count);
    const Cell kept = present ? cell & (kMore | kFar) : 0;
    second[i] = other ? cell : second[i];
    run.cells.second_pc[i] = other ? run.cells.reader_pc[i] : run.cells.second_pc[i];
    reader[i] = run.stamp | who | (other ? kMore | (far ? kFar : 0) : kept);
    run.cells.reader_pc[i] = run.pc;
  }
}

template <bool kShared, unsigned kRatio>
bool read(const Run &run) {
  if (run.written && !writers_fine<kShared, kRatio>(run)) return false;
  const unsigned count = run.lanes << kRatio;
  Cell *reader = run.cells.reader;
  Cell others = 0;
  for (unsigned i = 0; run.read && i < count; ++i) {
    const Cell cell = reader[i], who = run.who + (i >> kRatio);
    others |= live<kShared>(cell & ~kFlags, run.old) & (((cell & 0xffffffff) != who) | ((cell & kMore) != 0));
  }
  if (others == 0) {
    for (unsigned i = 0; i < count; ++i) reader[i] = run.stamp | (run.who + (i >> kRatio));
    for (unsigned i = 0; i < count; ++i) run.cells.reader_pc[i] = run.pc;
  } else if (!enough_readers<kShared, kRatio>(run)) {
    read_after_others<kShared, kRatio>(run);
  }
  return true;
}

template <bool kShared, unsigned kRatio>
bool write(const Run &run) {
  if (run.written && !writers_fine<kShared, kRatio>(run)) return false;
  const unsigned count = run.lanes << kRatio;
  Cell bad = 0;
  for (unsigned i = 0; run.read && i < count; ++i) {
    const Cell cell = run.cells.reader[i], who = run.who + (i >> kRatio);
    bad |= live<kShared>(cell & ~kFlags, run.old) & ((cell & (kMore | 0xffffffff)) != who);
  }
  if (bad) return false;
  for (unsigned i = 0; i < count; ++i) run.cells.writer[i] = run.stamp | (run.who + (i >> kRatio));
  for (unsigned i = 0; i < count; ++i) run.cells.writer_pc[i] = run.pc;
  return true;
}

template <bool kShared, bool kWrites, unsigned kRatio>
inline bool one(const Run &run) {
  return kWrites ? write<kShared, kRatio>(run) : read<kShared, kRatio>(run);
}

template <bool kShared, bool kWrites>
bool any(const Run &run) {
  switch (run.ratio) {
    case 0:
      return one<kShared, kWrites, 0>(run);
    case 1:
      return one<kShared, kWrites, 1>(run);
    case 2:
      return one<kShared, kWrites, 2>(run);
    case 3:
      return one<kShared, kWrites, 3>(run);
    case 4:
      return one<kShared, kWrites, 4>(run);
    default:
      return one<kShared, kWrites, 5>(run);
  }
}

}  // namespace

RunFunctions run_functions() {
  return {any<true, false>, any<true, true>, any<false, false>, any<false, true>};
}

}  // namespace cupilot::emulate::check::CUPILOT_ISA
