// SPDX-License-Identifier: Apache-2.0
//
// The rule pad-shared. Making the last extent of a shared array longer moves its rows to different memory
// banks. This is legal when nothing depends on the layout: every use subscripts the array in all dimensions.

#pragma once

#include <optional>

#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"

namespace cupilot::rewrite {

/// Adds the edits that pad every eligible array. If no array is eligible, returns the reason.
std::optional<Obstacle> pad_shared(const Kernel &kernel, const std::string &knob, Edits &edits);

}  // namespace cupilot::rewrite
