// SPDX-License-Identifier: Apache-2.0
//
// Two texts as a unified diff, as `diff -u` and `git` print it.

#pragma once

#include <string>
#include <string_view>

namespace cupilot::cli {

/// Three lines of context; empty when the texts are equal.
std::string unified_diff(std::string_view before, std::string_view after, const std::string &before_name,
                         const std::string &after_name);

}  // namespace cupilot::cli
