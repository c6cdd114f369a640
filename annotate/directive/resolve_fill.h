// SPDX-License-Identifier: Apache-2.0
//
// fill(x = ...) against the element type of x.

#pragma once

#include <expected>
#include <string>
#include <vector>

#include "annotate/directive/directive.h"

namespace cupilot {

/// `numbers` are the evaluated arguments (none for file). Relative files are looked up in `folder`.
std::expected<Fill, Diagnostic> resolve_fill(const FillEntry &entry, const Parameter &parameter,
                                             const std::vector<double> &numbers, const std::string &folder);

}  // namespace cupilot
