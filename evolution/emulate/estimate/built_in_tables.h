// SPDX-License-Identifier: Apache-2.0
//
// The device tables in devices/, which CMake embeds in the program.

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cupilot::emulate::estimate {

/// Pairs of file name (without ".json") and text, sorted by name.
const std::vector<std::pair<std::string, std::string>> &built_in_table_texts();

}  // namespace cupilot::emulate::estimate
