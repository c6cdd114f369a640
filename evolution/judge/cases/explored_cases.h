// SPDX-License-Identifier: Apache-2.0
//
// Sizes and integers by the thousand, to look for calls in which a candidate goes a way that no judged case
// went (evolution/judge/launches/outcomes.h). They are small enough to be judged. Pure.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/cases/evaluate_case.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

/// Values of a workload's names.
struct ExploredCall {
  std::string workload;
  Overrides values;
};
struct ExploredCase {
  ExploredCall call;
  model::Case which;
};

/// Of all workloads. `numbers` are those of the candidate's text: a size is one of them, a multiple of one
/// and as much more as another one says; all sizes are multiples of one, or any of them. Then come drawn
/// sizes, and each size alone from one on.
std::vector<ExploredCase> explored_cases(const spec::KernelSpec &spec,
                                         const std::vector<std::int64_t> &numbers, std::uint64_t seed);

/// The case of such a call; an error if it is not legal, or too large to be judged on a CPU.
Result<model::Case> explored_case(const spec::KernelSpec &spec, const ExploredCall &call);

}  // namespace cupilot::judge::cases
