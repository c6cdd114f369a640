// SPDX-License-Identifier: Apache-2.0
//
// Candidates that attack the process they run in, their machine or the judge. They make system calls by
// instruction, so that neither the static check nor the screen of symbols sees them: what is tried here is
// the wall behind both.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot {
using namespace model;

struct Attack {
  std::string id, variant;
  std::vector<VerdictKind> verdicts;  ///< any of them is right
  std::string word;                   ///< in the reason; empty: any reason
  bool few = false;                   ///< one of the few that CI runs
};

/// The last one is honest and must be accepted.
std::vector<Attack> attacks();

}  // namespace cupilot
