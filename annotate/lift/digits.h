// SPDX-License-Identifier: Apache-2.0
//
// Index maps taken apart and put together: an axis that the kernel divides ("i / cols", "i % cols") becomes
// several, two axes that only occur as `a * n + b` become one. Pure.

#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::lift {

using Statements = std::vector<spec::Statement>;

/// Named sizes, each over parameters and those before.
using Sizes = std::vector<std::pair<std::string, spec::Expr>>;

/// The expression with the sizes as what they are.
spec::Expr written_out(spec::Expr expr, const Sizes &sizes);

/// Tells whether a condition holds in all workloads.
using Holds = std::function<bool(const spec::Expr &)>;

/// Splits every independent loop whose counter is only used whole or in quotients and remainders by sizes
/// that divide its end. Where that they do cannot be seen but holds in all workloads, it becomes a need.
void split_axes(Statements &body, std::set<std::string> &names, const Sizes &sizes, const Holds &holds,
                std::vector<spec::Need> &needs);

/// The same of one loop of which only its digits show that no iteration needs another: `y[t % n * m + t /
/// n]`. False: they do not, and the loop is as it was.
bool split_apart(spec::Statement &loop, std::set<std::string> &names, const Sizes &sizes, const Holds &holds,
                 std::vector<spec::Need> &needs);

/// Merges a loop and the only loop in it, where their counters only occur as `outer * end of the inner +
/// inner`.
void merge_axes(Statements &body, std::set<std::string> &names);

}  // namespace cupilot::lift
