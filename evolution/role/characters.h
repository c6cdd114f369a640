// SPDX-License-Identifier: Apache-2.0
//
// Which characters an answer's words and code may have.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cupilot {

/// Of UTF-8; nothing when the text is none.
std::optional<std::u32string> code_points(std::string_view text);

/// No text: controls (ends of lines and tabs are), and what changes the direction in which text is read, so
/// that it looks like something else than it is.
bool is_control(char32_t point);

}  // namespace cupilot
