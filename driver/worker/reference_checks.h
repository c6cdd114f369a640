// SPDX-License-Identifier: Apache-2.0
//
// Whether a workload can tell a right kernel from a wrong one at all, seen from outputs of the original on
// two draws of its data. Pure. The answers are sentences for the developer, with a way out.

#pragma once

#include <span>
#include <string>

#include "driver/worker/outputs.h"
#include "evolution/device/case_layout.h"
#include "evolution/model/bundle.h"

namespace cupilot {

/// Whether two draws of the case's data are different data: a fill may fix it (iota, zeros).
bool has_drawn_inputs(const CaseLayout &layout);

/// Whether every output has the same bytes.
bool same_outputs(const CaseLayout &layout, std::span<const std::byte> first,
                  std::span<const std::byte> second);

/// What is wrong with the workload, empty when nothing is: its outputs do not depend on its inputs, or less
/// than a candidate may deviate.
std::string blind_workload(const Bundle &bundle, const CaseLayout &layout, const Case &which,
                           const ExpectedOutputs &first, std::span<const std::byte> second);

}  // namespace cupilot
