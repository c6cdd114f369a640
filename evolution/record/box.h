// SPDX-License-Identifier: Apache-2.0
//
// Boxes of parameter values, for guards. If a variant is faster on some workloads only, each of these
// workloads gets a box that excludes the others.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"
#include "evolution/model/record.h"

namespace cupilot::record {

using model::Box;

/// True if the launcher can compare this parameter with a range.
bool is_integer_parameter(const spec::KernelSpec &spec, const std::string &name);

/// The smallest box that contains the cases.
Box box_around(const spec::KernelSpec &spec, const std::vector<model::Case> &cases);

bool lies_in(const Box &box, const model::Case &one);

/// From the least values of all cases to the largest of one workload, a box for each workload that no other
/// one's box contains. Empty: one box contains all cases.
std::vector<Box> verified_boxes(const spec::KernelSpec &spec, const std::vector<model::Case> &passed);

/// One box for each workload of `dispatch`. It contains the cases that passed for this workload, except those
/// nearer to a timed workload that is not in `dispatch`. It is an error if a workload in `dispatch` and one
/// outside it have the same parameters, because no test at a launch could distinguish them.
Result<std::vector<Box>> dispatch_boxes(const spec::KernelSpec &spec, const std::vector<model::Case> &passed,
                                        const std::vector<std::string> &dispatch);

}  // namespace cupilot::record
