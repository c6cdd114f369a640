// SPDX-License-Identifier: Apache-2.0
//
// The JSON form of what is seen of a program.

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/capture/seen.h"

namespace cupilot::capture {

std::string to_json(const Watch &watch);
Result<Watch> watch_from_json(std::string_view text);
std::string to_json(const SeenLaunch &launch);  ///< one line
Result<SeenLaunch> launch_from_json(std::string_view line);

}  // namespace cupilot::capture
