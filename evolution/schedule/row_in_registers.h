// SPDX-License-Identifier: Apache-2.0
//
// Schedule `row-in-registers`: every output, or row of outputs, goes to a team of threads that share its
// loops and combine what they found. Where the loop's elements lie together the team runs along them; where
// those of an axis outside of the loop do, neighbouring threads take neighbours along that axis and the team
// splits the loop. A row that is used more than once stays in registers, if it fits.
//
// Schedule `cluster-split-rows`: the same of rows that are longer than one block's registers, by the blocks
// of a cluster (CUDA C++ Programming Guide, Thread Block Clusters).

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_row_in_registers(const spec::KernelSpec &spec);
Outcome write_cluster_split_rows(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
