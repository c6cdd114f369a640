// SPDX-License-Identifier: Apache-2.0
//
// The table through which a file of handlers offers them to the bind functions: PTX spelling -> handler, one
// table per file and vector extension. This header is included by code that is compiled several times, so it
// has plain data only.
//
// `uses` has a character per flattened operand: p b h w d q are a predicate and 8, 16, 32, 64, 128 bits; f
// and g are 32 and 64 bits whose literals are floating; upper case is written, lower case read.

#pragma once

#include <cstddef>

#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::lanes {

struct LaneEntry {
  const char *name = nullptr;
  program::Handler run = nullptr;
  const char *uses = nullptr;
};

struct LaneTable {
  const LaneEntry *entries = nullptr;
  std::size_t count = 0;
};

// Every per-ISA file `x_lanes.cpp` defines `LaneTable x_table()` in the namespace of its extension.
#define CUPILOT_LANE_TABLES(isa)                           \
  namespace isa {                                          \
  cupilot::emulate::lanes::LaneTable integer_table();      \
  cupilot::emulate::lanes::LaneTable carry_table();        \
  cupilot::emulate::lanes::LaneTable bits_table();         \
  cupilot::emulate::lanes::LaneTable logic_table();        \
  cupilot::emulate::lanes::LaneTable move_table();         \
  cupilot::emulate::lanes::LaneTable compare_table();      \
  cupilot::emulate::lanes::LaneTable float_table();        \
  cupilot::emulate::lanes::LaneTable rounded_table();      \
  cupilot::emulate::lanes::LaneTable approximate_table();  \
  cupilot::emulate::lanes::LaneTable half_table();         \
  cupilot::emulate::lanes::LaneTable half_compare_table(); \
  cupilot::emulate::lanes::LaneTable convert_table();      \
  }
CUPILOT_LANE_TABLES(baseline)
#if defined(__x86_64__)
CUPILOT_LANE_TABLES(avx2)
CUPILOT_LANE_TABLES(avx512)
#endif

}  // namespace cupilot::emulate::lanes
