// SPDX-License-Identifier: Apache-2.0
//
// Workloads that are too large to be executed whole, at their own size: some of their blocks.

#pragma once

#include <cstddef>
#include <string>

#include "evolution/judge/engine/judging.h"

namespace cupilot::judge::engine {

/// For messages: "estimating workload 'large'".
std::string estimating(const Judging &judging, std::size_t case_index);

/// Compares what blocks of the candidate write on this case with what the original's blocks write there. Done
/// once for a case. A null pointer: the verdict has been decided.
const ExcerptAnswer *compare_at_full_size(Judging &judging, std::size_t case_index);

/// Executes the blocks once more, so that what they execute counts as covered. For cases whose blocks agreed.
/// False: the verdict has been decided.
bool cover_at_full_size(Judging &judging, std::size_t case_index);

/// Compares them on other data, too: one that agrees by luck is not to count. False: the verdict has been
/// decided.
bool agrees_on_further_data(Judging &judging, std::size_t case_index);

}  // namespace cupilot::judge::engine
