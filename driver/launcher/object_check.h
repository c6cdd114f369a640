// SPDX-License-Identifier: Apache-2.0
//
// Checks every wrapped object, because relabel.cuh depends on how nvcc lowers kernel launches. Whatever it
// does not understand is an error, and then the original kernels are used.

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"

namespace cupilot::launcher {

/// Succeeds when every launch goes through our labels: the object defines them, leaves none of them
/// undefined, and its code refers to each of the runtime's launch functions at most once, in the dispatcher.
Result<void> check_object(std::string_view object);

}  // namespace cupilot::launcher
