// SPDX-License-Identifier: Apache-2.0
//
// Expressions over a kernel's integers that give the sizes that were seen.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cupilot::capture {

/// A name, with its value at each launch.
struct Column {
  std::string name;
  std::vector<std::int64_t> values;
};

enum class Sought {
  extent,  ///< of a buffer: products of names, rather than numbers
  blocks,  ///< of a grid: names divided by what a block does, rounded up
  threads  ///< of a block, or bytes of shared memory: numbers, rather than names
};

/// Those that have the target's value at every launch, the likeliest first: products of up to four names, of
/// names plus or minus one, times or plus a number; sums of two such products; quotients rounded up, and a
/// product times one; the number itself. `block`: threads of a block, the likeliest divisor. The names of a
/// product stand in the order of the columns.
std::vector<std::string> expressions_for(const std::vector<std::int64_t> &targets,
                                         const std::vector<Column> &columns, Sought sought,
                                         std::int64_t block = 1);

}  // namespace cupilot::capture
