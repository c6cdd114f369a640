// SPDX-License-Identifier: Apache-2.0
//
// The frequent case in a few vector instructions: a full warp whose lanes lie side by side touches cells
// that cannot conflict, because they hold old accesses or each thread's own. Compiled once for each vector
// extension. Private to check/.

#pragma once

#include "evolution/emulate/check/cell.h"

namespace cupilot::emulate {

/// Cells of `lanes` lanes from the lowest address on, `1 << ratio` of them a lane (ratio 0 to 5).
struct Run {
  Cells cells;
  unsigned lanes = 32;
  unsigned ratio = 0;
  Cell stamp = 0;         ///< the new cell without its thread
  std::uint32_t who = 0;  ///< of the first lane; the others follow
  std::uint32_t pc = 0;
  std::uint32_t near = 0, near_count = 32;  ///< threads of the same warp (global memory: block)
  bool written = true, read = true;         ///< false: there are no writers, no readers to look for
  Cell old = 0;  ///< shared memory: cells below (flags aside) are ordered; global memory: threads below are
                 ///< not of this launch
};

/// False: somebody has to look closer, nothing was changed.
struct RunFunctions {
  bool (*read_shared)(const Run &run) = nullptr;
  bool (*write_shared)(const Run &run) = nullptr;
  bool (*read_global)(const Run &run) = nullptr;
  bool (*write_global)(const Run &run) = nullptr;
};
RunFunctions run_functions();  ///< for this processor

}  // namespace cupilot::emulate
