// SPDX-License-Identifier: Apache-2.0
//
// What the lifted form of a kernel says of its buffers and of its launch.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::capture {

struct LiftedBuffers {
  /// By buffer: one past the largest index of each access, an expression over the kernel's parameters. An
  /// access that stands under a condition may never reach it.
  std::map<std::string, std::set<std::string>> ends;
  std::set<std::string> unknown;  ///< buffers with other accesses, too: at indices that are loaded, say
  std::set<std::string> read, written;
};
/// `names`: the kernel's parameters, in the order that products are written in. Nothing if it did not lift.
LiftedBuffers buffers_of(const spec::Lifted &lifted, const std::vector<std::string> &names);

/// The conditions that a launch has to meet, for evaluate_expression(): "grid.x" is called "grid_x".
std::vector<std::string> conditions_of(const spec::Lifted &lifted);

}  // namespace cupilot::capture
