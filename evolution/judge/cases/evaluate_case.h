// SPDX-License-Identifier: Apache-2.0
//
// One workload with some of its names set otherwise, as a case: every expression evaluated, every value
// checked against its type and against what a launch can be. Errors carry the place of the clause.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot {

using Overrides = std::map<std::string, std::int64_t>;
using RealOverrides = std::map<std::string, double>;

/// Without families; `timed` is off. Values that break an assumption of the kernel are no case.
/// Buffers may be empty only where values were set otherwise.
Result<Case> evaluate_case(const KernelSpec &spec, const Workload &workload, const Overrides &overrides,
                           const RealOverrides &reals = {});

}  // namespace cupilot
