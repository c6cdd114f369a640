// SPDX-License-Identifier: Apache-2.0
//
// Names of input families to rules: what a buffer of a case holds in one run. Pure.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/device/input_rule.h"

namespace cupilot {

/// user, normal, scaled_down, scaled_up, large_mean, ramp, one_hot, special.
const std::vector<std::string> &input_families();

/// The rule of one buffer. Families change floating buffers whose fill is automatic or normal; others keep
/// their fill with a fresh seed. An error for a fill the worker cannot make (files) and for an unknown
/// family.
Result<InputRule> input_rule(const std::string &family, const Fill &fill, ElementType type,
                             std::uint64_t count, std::uint64_t seed);

/// Families whose values are not random around zero: see evolution/judge/compare.h.
bool is_structured(const std::string &family);

/// Whether one rounding more or less makes sense for such values: not where they stand for integers.
bool can_be_nudged(InputShape shape);

/// Mixes names into a seed: one stream a case, family and parameter.
std::uint64_t derived_seed(std::uint64_t seed, const std::string &name);

}  // namespace cupilot
