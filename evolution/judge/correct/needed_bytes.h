// SPDX-License-Identifier: Apache-2.0
//
// How much of its buffers a launch needs at least. What a workload declares is the size of the buffers, and
// programs give kernels more than these use: a table of which one row is read, a buffer that is large enough
// for every call. A variant that is faster than moving all of it is then not faster than its work.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/cases/case_layout.h"

namespace cupilot::judge::correct {

struct NeededBytes {
  double read = 0;     ///< of inputs: the regions whose change changes an output
  double written = 0;  ///< of outputs: what is written at all
  double all() const { return read + written; }
};

/// The outputs of the original on inputs of a family; empty if it failed.
using OutputsOf = std::function<std::vector<std::byte>(const std::string &family)>;

/// What the original needs. Regions of every large input are changed, one at a time, in an order that spreads
/// over the buffer, until `go_on` says no. Regions that were not looked at count like those that were; inputs
/// of which fewer than kFewestLooks were looked at, and those that cannot be changed, count whole.
NeededBytes needed_bytes(const cases::CaseLayout &layout, const std::vector<spec::Parameter> &parameters,
                         const OutputsOf &outputs_of, const std::function<bool()> &go_on);
inline constexpr int kFewestLooks = 8;

}  // namespace cupilot::judge::correct
