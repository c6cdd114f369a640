// SPDX-License-Identifier: Apache-2.0
//
// Whether a workload can tell a right kernel from a wrong one at all, seen from outputs of the original: on
// two draws of its data, and on data of which a region was changed. The answers are sentences for the
// developer, with a way out.

#pragma once

#include <functional>
#include <span>
#include <string>

#include "annotate/support/result.h"
#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/launches/session.h"
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

/// What was kept for Plan::inputs[index]; no bytes when the original does not take them.
using KeptOutputs = std::function<ExpectedOutputs(std::size_t index)>;

/// Two draws of a workload's own data must give outputs that the judge can tell apart.
Result<> compare_draws(const Bundle &bundle, const Plan &plan, const KeptOutputs &kept);

/// Inputs of which no probe reached an output: the developer may want to know.
void note_idle_inputs(const Bundle &bundle, const Plan &plan, const KeptOutputs &kept);

/// What a checking device found in the original, and what to do about it.
std::string fault_of_original(const Fault &fault);

}  // namespace cupilot
