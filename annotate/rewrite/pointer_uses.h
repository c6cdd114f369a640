// SPDX-License-Identifier: Apache-2.0
//
// What a kernel does with the memory behind its pointers, as far as its text shows: workloads that were seen
// say what memory held before and after, and not what was read.

#pragma once

#include <string>
#include <vector>

#include "annotate/rewrite/syntax.h"

namespace cupilot::rewrite {

struct PointerUses {
  std::vector<std::string> only_read, only_written;  ///< pointer parameters
};

/// Pointers are followed through variables of the kernel and calls of functions in the slice. A pointer that
/// goes anywhere else (a structure, a comparison, an unknown function) is in neither list, and so is every
/// pointer of a kernel with code that the tree does not show.
PointerUses pointer_uses_of(const Kernel &kernel);

}  // namespace cupilot::rewrite
