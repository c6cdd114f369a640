// SPDX-License-Identifier: Apache-2.0
//
// Checks of the original by its outputs. Repeatability: two runs on the same data give the same. Sensitivity:
// a workload can distinguish a correct kernel from a wrong one, seen on two draws of its data and on data
// with one changed region. The results are sentences for the developer that say how to fix the problem.

#pragma once

#include <functional>
#include <span>
#include <string>

#include "annotate/support/result.h"
#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/correct/repeats.h"
#include "evolution/judge/launches/session.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::correct {

/// The rule by whose name a developer declares a workload without random inputs harmless.
inline constexpr const char *kNoRandomInput = "no-random-input";

/// The problem of an original whose outputs `again` are not those of its first run on the same data, the
/// workload's own. `repeats` are all its runs on them, this one included. Empty if there is no problem.
std::string unrepeatable(const model::Bundle &bundle, const cases::CaseLayout &layout,
                         const model::Case &which, const ExpectedOutputs &first,
                         std::span<const std::byte> again, const Repeats &repeats);

/// Why outputs differ from those of the first run on the same data at Placement::base; a comparison's text
/// follows. `emulated`: the placement also changes the order of blocks.
std::string differs_because(cases::Placement placement, bool emulated);

/// Whether two draws of the case's data differ. They do not if all fills are fixed (iota, zeros).
bool has_drawn_inputs(const cases::CaseLayout &layout);

/// Whether all outputs are bitwise equal.
bool same_outputs(const cases::CaseLayout &layout, std::span<const std::byte> first,
                  std::span<const std::byte> second);

/// The problem of a workload whose outputs do not depend on its inputs, or depend on them less than a
/// candidate may deviate. Empty if there is no problem.
std::string blind_workload(const model::Bundle &bundle, const cases::CaseLayout &layout,
                           const model::Case &which, const ExpectedOutputs &first,
                           std::span<const std::byte> second);

/// Returns what was kept for Plan::inputs[index]; without bytes if the original does not accept these inputs.
using KeptOutputs = std::function<ExpectedOutputs(std::size_t index)>;

/// Checks that two draws of a workload's own data give outputs that the judge can distinguish.
Result<> compare_draws(const model::Bundle &bundle, const cases::Plan &plan, const KeptOutputs &kept);

/// Prints a note about inputs for which no probe changed an output.
void note_idle_inputs(const model::Bundle &bundle, const cases::Plan &plan, const KeptOutputs &kept);

/// A sentence about a fault that the emulated device found in the original, and how to fix it.
std::string fault_of_original(const launches::Fault &fault);

}  // namespace cupilot::judge::correct
