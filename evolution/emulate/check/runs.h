// SPDX-License-Identifier: Apache-2.0
//
// Handles the frequent case in a few vector instructions: a full warp with contiguous addresses touches cells
// that cannot conflict, because they hold old accesses or each thread's own. Compiled once for each vector
// extension. Private to check/.

#pragma once

#include "evolution/emulate/check/cell.h"

namespace cupilot::emulate::check {

/// The cells of `lanes` lanes from the lowest address on, `1 << ratio` cells per lane (ratio 0 to 5).
struct Run {
  Cells cells;
  unsigned lanes = 32;
  unsigned ratio = 0;
  Cell stamp = 0;         ///< the new cell without its thread number
  std::uint32_t who = 0;  ///< thread number of the first lane; the others follow consecutively
  std::uint32_t pc = 0;
  std::uint32_t near = 0, near_count = 32;  ///< threads of the same warp (global memory: block)
  bool written = true, read = true;         ///< false: there are no writers (readers) to compare with
  Cell old = 0;  ///< shared memory: cells below this value (without flags) are ordered before; global memory:
                 ///< threads below it are of earlier launches
};

/// The functions return false, without changing anything, when the lanes have to be checked one by one.
struct RunFunctions {
  bool (*read_shared)(const Run &run) = nullptr;
  bool (*write_shared)(const Run &run) = nullptr;
  bool (*read_global)(const Run &run) = nullptr;
  bool (*write_global)(const Run &run) = nullptr;
};
RunFunctions run_functions();  ///< the fastest version for this processor

}  // namespace cupilot::emulate::check
