// SPDX-License-Identifier: Apache-2.0
//
// Makes a form plainer without changing what it computes. Pure.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::lift {

/// - A load of what was just stored is that value, and a store that the next one covers is gone.
/// - Index values are written where they are used.
/// - An element that every iteration adds to becomes a variable that is stored after the loop.
/// - The largest of a row and its place are one fold (arguments.h).
/// - Variables that do not change are values; what nobody reads is gone.
/// Values whose names begin with kMark stay where they are.
void simplify(std::vector<spec::Statement> &body, std::set<std::string> &names);
inline constexpr const char *kMark = "\2";

}  // namespace cupilot::lift
