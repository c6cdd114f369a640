// SPDX-License-Identifier: Apache-2.0
//
// Prints a finalist's checks in one line, for tables of many kernels.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot::cli::report {

/// "finalist: memcheck, racecheck ok; 20 repeats bitwise equal; hold-out odd 1.80x (faster); not run:
/// initcheck". Empty without checks.
std::string finalist_line(const std::vector<model::FinalistCheck> &checks);

}  // namespace cupilot::cli::report
