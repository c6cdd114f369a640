// SPDX-License-Identifier: Apache-2.0
//
// The parameters of the twin of a kernel (annotate/rewrite/twin.h).

#pragma once

#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::judge::data {

/// The parameters of the twin's entry: pointers to and values of f16, bf16 and f32 become f64 (float4: four
/// doubles); the others stay.
std::vector<spec::Parameter> promoted_parameters(const std::vector<spec::Parameter> &parameters);

}  // namespace cupilot::judge::data
