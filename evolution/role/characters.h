// SPDX-License-Identifier: Apache-2.0
//
// The characters that are allowed in the text and code of an answer.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cupilot::role {

/// Decodes UTF-8; empty if the text is not valid UTF-8.
std::optional<std::u32string> code_points(std::string_view text);

/// True for control characters except line ends and tabs, and for characters that change the reading
/// direction, which can make text look different from what it is.
bool is_control(char32_t point);

}  // namespace cupilot::role
