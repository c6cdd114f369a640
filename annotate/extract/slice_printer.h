// SPDX-License-Identifier: Apache-2.0
//
// Prints the kept parts of a translation unit as one self-contained source, with #line where line numbers
// jump.

#pragma once

#include "annotate/extract/unit_text.h"

namespace cupilot::extract {

std::string print_slice(const UnitText &unit, const std::set<ChunkId> &kept);

}  // namespace cupilot::extract
