// SPDX-License-Identifier: Apache-2.0
//
// Index maps taken apart and put together: an axis that the kernel divides ("i / cols", "i % cols") becomes
// several, two axes that only occur as `a * n + b` become one. Pure.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::lift {

using Statements = std::vector<spec::Statement>;

/// Splits every independent loop whose counter is only used whole or in quotients and remainders by sizes
/// that divide its end.
void split_axes(Statements &body, std::set<std::string> &names);

/// Merges a loop and the only loop in it, where their counters only occur as `outer * end of the inner +
/// inner`.
void merge_axes(Statements &body, std::set<std::string> &names);

}  // namespace cupilot::lift
