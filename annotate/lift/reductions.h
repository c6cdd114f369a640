// SPDX-License-Identifier: Apache-2.0
//
// Plainer reductions: bounds in place of conditions, and one total in place of many that are added up. Pure.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::lift {

/// `acc += i < n ? x[i] : 0` in a loop over i becomes a loop that ends at n. What the loops' ends and the
/// launch must be for that is added to `needs`. Conditions that the ranges of the loops around imply are
/// gone.
void bound_folds(std::vector<spec::Statement> &body, std::vector<spec::Need> &needs);

/// The variable that an expression is, perhaps times or divided by what is the same everywhere; empty: none.
/// Sums of such are such of the sum.
std::string scaled_variable(const spec::Expr &expr);

/// A total of every iteration that is added to one element is one total of all.
void join_totals(std::vector<spec::Statement> &body, std::set<std::string> &names);

/// Rounds of a scan, each of which begins with what the rounds before it have and ends by adding its own
/// total, become one scan that goes on through them. `threads`: of a block, along x.
void join_scans(std::vector<spec::Statement> &body, int threads);
/// A scan that ends at a bound rounded up, past which it does nothing, ends at the bound.
void bound_scans(std::vector<spec::Statement> &body);

}  // namespace cupilot::lift
