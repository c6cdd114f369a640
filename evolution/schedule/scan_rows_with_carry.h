// SPDX-License-Identifier: Apache-2.0
//
// Schedule `scan-rows-with-carry`: rows in which every element is what comes before it folded with one more.
// A team of threads takes a row in rounds; every thread folds a few neighbours, warps scan the threads'
// totals by shuffles (S. Sengupta et al., Scan Primitives for GPU Computing, 2007), and the round's total
// goes on to the next.

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_scan_rows_with_carry(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
