// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "evolution/model/verdict.h"

namespace cupilot::judge::engine {

/// What the comparison of a candidate's blocks with the original's, at a workload's own size, has shown.
struct ExcerptAnswer {
  /// Not empty: the candidate is wrong (or `rejected`), and why.
  std::string problem;
  model::VerdictKind kind = model::VerdictKind::wrong;
  std::string open;  ///< why its blocks do not vouch for this size; empty: they agreed with the original's
  std::uint64_t compared = 0;  ///< elements
};

}  // namespace cupilot::judge::engine
