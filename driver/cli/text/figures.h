// SPDX-License-Identifier: Apache-2.0
//
// Formats times, speed-ups and durations for tables and progress lines.

#pragma once

#include <chrono>
#include <string>

#include "evolution/model/verdict.h"

namespace cupilot::cli::text {

/// Microseconds with three or four digits: "4.21", "61.3", "1523".
std::string time_text(double microseconds);
/// "2.10x", "-" when nothing was timed.
std::string speedup_text(double speedup);
/// "2.10x (2.05 to 2.14)".
std::string speedup_text(const model::Measurement &measurement);
/// "2.1x est.", "2.1x est. (a tie)", "-" when nothing was estimated.
std::string estimate_text(double ratio);
std::string estimate_text(const model::Estimate &estimate);
/// "88 %", "-" when it is not known.
std::string share_text(double share);
/// "45 s", "3 min 10 s", "1 h 5 min".
std::string duration_text(std::chrono::milliseconds duration);

}  // namespace cupilot::cli::text
