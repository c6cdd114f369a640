// SPDX-License-Identifier: Apache-2.0
//
// A workload made small enough to be executed whole on the CPU: names that decide how much work there is are
// halved, everything else keeps its value, and the launch is evaluated anew. Pure choice of numbers.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/judge/cases/evaluate_case.h"

namespace cupilot {

/// What a case may cost, in elements touched; the product of all shape names stands for the work of kernels
/// that go through their data several times (a matrix product), 16 steps of it for an element.
struct WorkCap {
  std::uint64_t cost = 0;
};
inline constexpr std::uint64_t kStepsOfAnElement = 16;

/// A launch keeps this many blocks where its work is spread over the grid: with one block a variant that
/// forgets the others would pass.
inline constexpr std::uint64_t kLeastBlocks = 4;

struct Shrunk {
  Overrides values;
  Case which;        ///< without families
  std::string text;  ///< "rows=1024 cols=512 instead of rows=8192 cols=4096"
};

/// Nullopt when the workload is below the cap as it is. What cannot be made any smaller comes back as small
/// as it can be.
Result<std::optional<Shrunk>> shrink(const KernelSpec &spec, const Workload &workload, WorkCap cap);

/// The workload with these names set to plain numbers.
Workload with_values(Workload workload, const Overrides &values);

}  // namespace cupilot
