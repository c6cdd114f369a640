// SPDX-License-Identifier: Apache-2.0
//
// Small text functions used in many places.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupilot {

std::string_view trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::vector<std::string> split_lines(std::string_view text);
std::string join(const std::vector<std::string> &parts, std::string_view separator);
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// The text as it may be printed on a terminal: control characters, characters that change the direction of
/// writing, and bytes that are not UTF-8 become visible ("\x1b", "\u202e"). Line ends and tabs stay. For
/// everything that a server, a model, a variant or another program wrote.
std::string printable(std::string_view text);

/// The word in `known` with the smallest edit distance to `word`, for "did you mean"; empty when none is
/// close.
std::string closest(std::string_view word, const std::vector<std::string> &known);
/// "did you mean 'x'?" when a known word is near, else "known here: a, b, c"; empty when nothing is known.
std::string did_you_mean(std::string_view word, const std::vector<std::string> &known);

/// Quotes the text as one word of a POSIX shell command line.
std::string shell_quote(std::string_view text);

}  // namespace cupilot
