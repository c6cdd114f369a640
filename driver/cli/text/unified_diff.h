// SPDX-License-Identifier: Apache-2.0
//
// Prints the difference of two texts as a unified diff, in the format of `diff -u` and `git`.

#pragma once

#include <string>
#include <string_view>

namespace cupilot::cli::text {

/// The diff has three lines of context; it is empty when the texts are equal.
std::string unified_diff(std::string_view before, std::string_view after, const std::string &before_name,
                         const std::string &after_name);

}  // namespace cupilot::cli::text
