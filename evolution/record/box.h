// SPDX-License-Identifier: Apache-2.0
//
// Boxes of parameter values, for guards. Where a variant is faster on some workloads only, each of them gets
// a box that keeps clear of the others.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot {

/// Least and greatest value of each integer parameter, both included.
using Box = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

/// A parameter the launcher can compare with a range.
bool is_integer_parameter(const KernelSpec &spec, const std::string &name);

/// The smallest box around the cases.
Box box_around(const KernelSpec &spec, const std::vector<Case> &cases);

bool lies_in(const Box &box, const Case &one);

/// One box for each workload of `dispatch`, around the cases it passed, without those nearer to a timed
/// workload that is not in `dispatch`. An error when a winner and a loser have the same parameters: no test
/// at a launch could tell them apart.
Result<std::vector<Box>> dispatch_boxes(const KernelSpec &spec, const std::vector<Case> &passed,
                                        const std::vector<std::string> &dispatch);

}  // namespace cupilot
