// SPDX-License-Identifier: Apache-2.0
//
// The place of the largest or smallest element of a row, and sums of what depends on all of a row. Pure.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::lift {

inline constexpr const char *kKeyType = "unsigned long long";

/// A loop that keeps the largest value and where it was, `if (v > best) { best = v; at = j; }`, becomes a
/// fold of one key by "max": `arg_key(v, p)` orders floats by value, equal ones by place from the first on,
/// and knows no NaN; `arg_first(best)` is the key of place 0, of what was there before the loop. The calls
/// `arg_value` and `arg_place` take a key apart. Of the smallest, values are negated. Names are added to
/// `names`.
void join_arguments(std::vector<spec::Statement> &body, std::set<std::string> &names);

/// The call of nobody's function that stands for the largest value, or the mean, of all that a loop which
/// looks for it has seen in the end; of which loop, its argument says.
inline constexpr const char *kWhole = "whole";
/// A loop that looks for the largest value and adds up exponentials below that, `m = max(m, v); sum += expf(v
/// - whole(...))`, becomes two: the sum's begins when the largest is known. The same of a mean and squares
/// around it. The line of what is left, as where two loops do that with the same names; 0: nothing is.
int part_sums(std::vector<spec::Statement> &body);

}  // namespace cupilot::lift
