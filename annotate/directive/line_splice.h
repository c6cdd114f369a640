// SPDX-License-Identifier: Apache-2.0
//
// Translation phase 2 of C++ ([lex.phases]): a backslash at the end of a line joins the line with the next
// one. GCC and Clang also allow blanks between the backslash and the end of the line. Each lexer of variants
// uses this, so that a comment ends for them where it ends for the compiler.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::directive {

/// The length of the line continuation that begins at `at`; 0 if there is none.
std::size_t splice_length(std::string_view text, std::size_t at);

/// Whether this word before a double quote begins a raw string, in which lines are not joined.
bool raw_string_prefix(std::string_view word);

struct SplicedText {
  std::string text;                 ///< without line continuations, and those of raw strings are missing too
  std::vector<std::size_t> origin;  ///< for each character its offset in the original text
};

SplicedText splice_lines(std::string_view text);

}  // namespace cupilot::directive
