// SPDX-License-Identifier: Apache-2.0
//
// Checks fill(x = ...) against the element type of x.

#pragma once

#include <expected>
#include <string>
#include <vector>

#include "annotate/directive/directive.h"

namespace cupilot::directive {

/// `numbers` are the values of the arguments; file("...") has none. Relative paths start from `folder`.
std::expected<spec::Fill, Diagnostic> resolve_fill(const FillEntry &entry, const spec::Parameter &parameter,
                                                   const std::vector<double> &numbers,
                                                   const std::string &folder);

}  // namespace cupilot::directive
