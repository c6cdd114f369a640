// SPDX-License-Identifier: Apache-2.0
//
// Turns the machine's findings into faults of a verdict. Pure functions.

#pragma once

#include <string>
#include <vector>

#include "evolution/emulate/machine/finding.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::emulate::session {

/// One fault for each rule and source line, without rules in `waived`. Fatal ones come first, because they
/// ended the launch.
std::vector<judge::launches::Fault> faults_of(const std::vector<machine::Finding> &findings,
                                              const std::vector<std::string> &waived);

judge::launches::Fault::Kind fault_kind(machine::FindingKind kind);
/// True for races and uninitialised reads: a launch goes on after them, and an original may have them.
bool waivable(machine::FindingKind kind);

}  // namespace cupilot::emulate::session
