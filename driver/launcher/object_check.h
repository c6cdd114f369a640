// SPDX-License-Identifier: Apache-2.0
//
// Self-check of a wrapped object: re-labelling leans on how nvcc lowers launches, so every object is looked
// at. Anything it does not understand counts as "not as expected".

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"

namespace cupilot::launcher {

/// Every launch goes through our labels: they are defined here, none is left undefined, and the code refers
/// to each of the runtime's launch functions at most once, which is the dispatcher's own reference.
Result<void> check_object(std::string_view object);

}  // namespace cupilot::launcher
