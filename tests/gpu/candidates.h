// SPDX-License-Identifier: Apache-2.0
//
// Candidates for the row normalisation, one idea each. `kRows` comes before most of them.

#pragma once

#include <string>
#include <vector>

#include "row_norm_bundle.h"

namespace cupilot {

/// Good, slow, and bad in every way the worker must survive.
std::vector<HandCandidate> hand_candidates();

}  // namespace cupilot
