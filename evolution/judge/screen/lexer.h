// SPDX-License-Identifier: Apache-2.0
//
// A lexer for enough of C++ to examine a variant without being misled by comments, strings or line
// continuations. It reads the text whose lines are joined as the compiler joins them; only raw strings are
// read as written. It does not preprocess: `#define` lines are tokens like any other. Trigraphs are none
// here; lexical_check refuses them.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::judge::screen {

enum class CodeTokenKind { name, number, literal, punctuation, directive };

struct CodeToken {
  CodeTokenKind kind;
  std::string text;           ///< for a directive its name ("include"), for a literal its text with quotes
  int line = 0;               ///< from 1
  bool preprocessor = false;  ///< on the (logical) line of a directive
  std::size_t begin = 0, end = 0;  ///< its range in the text
  bool raw = false;                ///< a raw string; its text is without the prefix
  bool adjacent = false;           ///< nothing but a line continuation is between it and the token before
  bool spliced = false;            ///< a line continuation is inside of it
};

/// Whether the token has this text and is not a literal.
inline bool is(const CodeToken &token, std::string_view text) {
  return token.kind != CodeTokenKind::literal && token.text == text;
}

struct TokenList {
  std::vector<CodeToken> tokens;
  std::string error;  ///< "unterminated comment"; empty if the text was read to its end
  int error_line = 0;
};

/// `::`, `<<<` and `>>>` are one token each; any other punctuation character is a token of its own.
TokenList tokenize(std::string_view text);

}  // namespace cupilot::judge::screen
