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

namespace cupilot::emulate {

struct LaneEntry {
  const char *name = nullptr;
  Handler run = nullptr;
  const char *uses = nullptr;
};

struct LaneTable {
  const LaneEntry *entries = nullptr;
  std::size_t count = 0;
};

// Every per-ISA file `x_lanes.cpp` defines `LaneTable x_table()` in the namespace of its extension.
#define CUPILOT_LANE_TABLES(isa)  \
  namespace isa {                 \
  LaneTable integer_table();      \
  LaneTable carry_table();        \
  LaneTable bits_table();         \
  LaneTable logic_table();        \
  LaneTable move_table();         \
  LaneTable compare_table();      \
  LaneTable float_table();        \
  LaneTable rounded_table();      \
  LaneTable approximate_table();  \
  LaneTable half_table();         \
  LaneTable half_compare_table(); \
  LaneTable convert_table();      \
  }
CUPILOT_LANE_TABLES(baseline)
#if defined(__x86_64__)
CUPILOT_LANE_TABLES(avx2)
CUPILOT_LANE_TABLES(avx512)
#endif

}  // namespace cupilot::emulate
