// SPDX-License-Identifier: Apache-2.0
//
// How much a call has to compute, counted in the lifted form. With the bytes of its buffers that is what no
// schedule gets below (Williams, Waterman, Patterson, Roofline, CACM 52(4), 2009). Pure.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "annotate/spec/lifted.h"

namespace cupilot::schedule {

/// Values of parameters, and of `grid.x` to `block.z`.
using Values = std::map<std::string, std::variant<std::int64_t, double>>;

struct Work {
  double arithmetic =
      0;  ///< additions, multiplications, comparisons of floating values; a sum of products is two
  double special = 0;  ///< divisions, roots and calls of functions
};

/// An expression of numbers, parameters and axes; nullopt where something of it has no value.
std::optional<double> value_of(const spec::Expr &expr, const Values &values);

/// nullopt where loops end at what is loaded from memory. Loops inside of others that end at the outer one's
/// counter are counted at its middle.
std::optional<Work> work_of(const spec::Lifted &lifted, const Values &values);

}  // namespace cupilot::schedule
