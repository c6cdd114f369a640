// SPDX-License-Identifier: Apache-2.0
//
// Writes the kept parts of a unit as one self-contained source, with #line where the numbering jumps.

#pragma once

#include "annotate/extract/unit_text.h"

namespace cupilot {

std::string print_slice(const UnitText &unit, const std::set<ChunkId> &kept);

}  // namespace cupilot
