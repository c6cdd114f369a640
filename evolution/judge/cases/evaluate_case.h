// SPDX-License-Identifier: Apache-2.0
//
// Makes a case from one workload, with other values for some of its names. Every expression is evaluated, and
// every value is checked against its type and the limits of a launch. Errors carry the source place of the
// clause.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

using Overrides = std::map<std::string, std::int64_t>;
using RealOverrides = std::map<std::string, double>;

/// The case has no families, and `timed` is false. Values that break an assumption of the kernel are an
/// error. Buffers may be empty only if `overrides` are given.
Result<model::Case> evaluate_case(const spec::KernelSpec &spec, const spec::Workload &workload,
                                  const Overrides &overrides, const RealOverrides &reals = {});

}  // namespace cupilot::judge::cases
