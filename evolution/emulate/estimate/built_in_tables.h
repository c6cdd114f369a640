// SPDX-License-Identifier: Apache-2.0
//
// The files of devices/, made part of the program by CMake.

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cupilot::emulate {

/// File name without ".json", text; ordered by name.
const std::vector<std::pair<std::string, std::string>> &built_in_table_texts();

}  // namespace cupilot::emulate
