// SPDX-License-Identifier: Apache-2.0
//
// Makes a workload small enough to be executed completely on the CPU. Names that determine the amount of work
// are halved, all others keep their value, and the launch is evaluated again. Pure.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/judge/cases/evaluate_case.h"

namespace cupilot::judge::cases {

/// The largest cost of a case, in elements touched. Some kernels read their data several times (a matrix
/// product). For them the product of all shape names is counted, where 16 steps cost as much as one element.
struct WorkCap {
  std::uint64_t cost = 0;
};
inline constexpr std::uint64_t kStepsOfAnElement = 16;

/// The CPU executes about ten million elements per second with all checks on. With these caps all cases of a
/// candidate together take about a second.
inline constexpr WorkCap kWorkloadCap{5u << 18}, kNeighbourCap{5u << 14};

/// A launch whose work is spread over the grid keeps at least this many blocks. With only one block, a
/// variant that ignores the other blocks would pass.
inline constexpr std::uint64_t kLeastBlocks = 4;

struct Shrunk {
  Overrides values;
  model::Case which;  ///< the smaller case, without families
  std::string text;   ///< "rows=1024 cols=512 instead of rows=8192 cols=4096"
};

/// Nullopt if the workload is already below the cap. A workload that cannot be shrunk below the cap is
/// returned as small as possible.
Result<std::optional<Shrunk>> shrink(const spec::KernelSpec &spec, const spec::Workload &workload,
                                     WorkCap cap);

/// Returns the workload with these names set to plain numbers.
spec::Workload with_values(spec::Workload workload, const Overrides &values);

/// Returns the workload with the values that make it small enough, or as it is.
Result<spec::Workload> shrunk_workload(const spec::KernelSpec &spec, const spec::Workload &workload,
                                       WorkCap cap);

}  // namespace cupilot::judge::cases
