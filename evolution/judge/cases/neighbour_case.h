// SPDX-License-Identifier: Apache-2.0
//
// Makes the case of a neighbour, if it is legal and new. Pure.

#pragma once

#include <optional>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/cases/neighbours.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

/// Whether both launch the same on buffers of the same lengths and fills.
bool same_values(const model::Case &a, const model::Case &b);

/// The case of the neighbour, unless it is not legal or already in the list. If an assumption such as n%4==0
/// forbids it, the nearest multiples of 2, 4, 8, ... below and above are tried, and `neighbour` gets the
/// values that were taken; otherwise one clause would exclude all neighbours.
std::optional<model::Case> new_neighbour(const std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                                         const spec::Workload &workload, Neighbour &neighbour);

}  // namespace cupilot::judge::cases
