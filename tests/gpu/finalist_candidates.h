// SPDX-License-Identifier: Apache-2.0
//
// Candidates that only the last stage tells apart, and the cases it is shown with. For both executors.

#pragma once

#include <string>
#include <vector>

#include "row_norm_bundle.h"

namespace cupilot {
using namespace model;

/// The row normalisation in a file that has a device global, too, as a slice may.
std::string finalist_original();

/// Good, restless by atomics, sharing a device global between its kernels, greedy for scratch memory, wrong
/// on the hold-out, slow on the hold-out.
std::vector<HandCandidate> finalist_candidates();

/// For compute-sanitizer, which sees what a lucky run hides: a race in shared memory whose outcome is always
/// the same, a read past the end that nothing comes of, a read of scratch memory that nobody wrote.
std::vector<HandCandidate> sanitizer_candidates();

/// A hold-out of 37 rows with 333 columns.
Case hold_out_case();

}  // namespace cupilot
