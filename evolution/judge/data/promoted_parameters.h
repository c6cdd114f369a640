// SPDX-License-Identifier: Apache-2.0
//
// The kernel's parameters as its twin takes them (annotate/rewrite/twin.h).

#pragma once

#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

/// How the twin's entry takes the kernel's parameters: pointers to and values of f16, bf16 and f32 become f64
/// (float4: four doubles), the others stay.
std::vector<Parameter> promoted_parameters(const std::vector<Parameter> &parameters);

}  // namespace cupilot
