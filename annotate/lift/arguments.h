// SPDX-License-Identifier: Apache-2.0
//
// The place of the largest or smallest element of a row. Pure.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::lift {

/// A loop that keeps the largest value and where it was, `if (v > best) { best = v; at = j; }`, becomes a
/// fold of one key by "max": `arg_key(v, p)` orders floats by value, equal ones by place from the first on,
/// and knows no NaN; `arg_first(best)` is the key of place 0, of what was there before the loop. The calls
/// `arg_value` and `arg_place` take a key apart. Of the smallest, values are negated. Names are added to
/// `names`.
void join_arguments(std::vector<spec::Statement> &body, std::set<std::string> &names);

}  // namespace cupilot::lift
