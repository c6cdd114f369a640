// SPDX-License-Identifier: Apache-2.0
//
// A kernel's text as words and statements, each with the loops around it: as much C++ as telling features
// apart needs. Comments, literals and preprocessor lines (but the text of macros) are not there. Nothing is
// expanded or resolved, and any text is read to its end.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot {

struct CodeWord {
  enum class Kind { name, number, symbol } kind = Kind::symbol;
  std::string text;  ///< "+=", "->" and their like are one symbol
};
using CodeWords = std::span<const CodeWord>;

std::vector<CodeWord> words_of_code(std::string_view source);

/// What ends in a semicolon or brace, with the conditions before it. The three parts of a `for` are
/// statements of their loop.
struct CodeStatement {
  CodeWords words;
  std::size_t loop = 0;    ///< number of the innermost loop, 0 outside of all
  std::size_t depth = 0;   ///< loops around
  bool is_header = false;  ///< between the parentheses of a loop
};

/// `words` must live as long as the statements.
std::vector<CodeStatement> statements_of(const std::vector<CodeWord> &words);

inline bool is(const CodeWord &word, std::string_view text) {
  return word.text == text;
}

/// Where the bracket at `open` closes; the last word when it does not.
std::size_t closing_bracket(CodeWords words, std::size_t open);

}  // namespace cupilot
