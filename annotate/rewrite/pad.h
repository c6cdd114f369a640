// SPDX-License-Identifier: Apache-2.0
//
// pad-shared: a longer last extent moves the rows of a shared array to other banks. Legal when nothing
// depends on the array's layout: it is only ever subscripted in full.

#pragma once

#include <optional>

#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"

namespace cupilot::rewrite {

/// Adds the edits that pad every array that can be; why none can, otherwise.
std::optional<Obstacle> pad_shared(const Kernel &kernel, const std::string &knob, Edits &edits);

}  // namespace cupilot::rewrite
