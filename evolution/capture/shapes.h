// SPDX-License-Identifier: Apache-2.0
//
// What the watchers of all processes wrote, by kernel and shape.

#pragma once

#include <filesystem>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/capture/seen.h"

namespace cupilot::capture {

/// Launches of one kernel with the same configuration and the same whole numbers.
struct SeenShape {
  SeenLaunch first;            ///< of those looked at; what it says of buffers holds for all of them
  std::uint64_t launches = 0;  ///< in all processes
  double work = 0;             ///< of all of them, from those looked at
};

struct Seen {
  std::vector<SeenShape> shapes;  ///< by kernel, then by work, the largest first
  std::uint64_t others = 0;       ///< launches that were not looked at: skipped, or of too many shapes
  std::size_t damaged = 0;        ///< lines that could not be read
};

Result<Seen> read_seen(const std::filesystem::path &folder);

}  // namespace cupilot::capture
