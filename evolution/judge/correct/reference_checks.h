// SPDX-License-Identifier: Apache-2.0
//
// Checks whether a workload can distinguish a correct kernel from a wrong one. They compare outputs of the
// original: on two draws of its data, and on data with one changed region. The results are sentences for the
// developer that say how to fix the problem.

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

/// Whether two draws of the case's data differ. They do not if all fills are fixed (iota, zeros).
bool has_drawn_inputs(const CaseLayout &layout);

/// Whether all outputs are bitwise equal.
bool same_outputs(const CaseLayout &layout, std::span<const std::byte> first,
                  std::span<const std::byte> second);

/// The problem of a workload whose outputs do not depend on its inputs, or depend on them less than a
/// candidate may deviate. Empty if there is no problem.
std::string blind_workload(const Bundle &bundle, const CaseLayout &layout, const Case &which,
                           const ExpectedOutputs &first, std::span<const std::byte> second);

/// Returns what was kept for Plan::inputs[index]; without bytes if the original does not accept these inputs.
using KeptOutputs = std::function<ExpectedOutputs(std::size_t index)>;

/// Checks that two draws of a workload's own data give outputs that the judge can distinguish.
Result<> compare_draws(const Bundle &bundle, const Plan &plan, const KeptOutputs &kept);

/// Prints a note about inputs for which no probe changed an output.
void note_idle_inputs(const Bundle &bundle, const Plan &plan, const KeptOutputs &kept);

/// A sentence about a fault that the emulated device found in the original, and how to fix it.
std::string fault_of_original(const Fault &fault);

}  // namespace cupilot
