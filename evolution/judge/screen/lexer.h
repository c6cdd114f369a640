// SPDX-License-Identifier: Apache-2.0
//
// Enough of C++'s lexical grammar to look at a variant without being fooled by comments, strings or line
// splices. No preprocessing: `#define` lines are tokens like any other.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot {

enum class CodeTokenKind { name, number, literal, punctuation, directive };

struct CodeToken {
  CodeTokenKind kind;
  std::string text;                ///< a directive's is its name: "include"; a literal's is its raw text
  int line = 0;                    ///< from 1
  bool preprocessor = false;       ///< on the (logical) line of a directive
  std::size_t begin = 0, end = 0;  ///< where it stands in the text
};

/// This text, and not in a literal.
inline bool is(const CodeToken &token, std::string_view text) {
  return token.kind != CodeTokenKind::literal && token.text == text;
}

struct TokenList {
  std::vector<CodeToken> tokens;
  std::string error;  ///< "unterminated comment", empty when the text was read to its end
  int error_line = 0;
};

/// `::`, `<<<` and `>>>` are one token; other punctuation is one character each.
TokenList tokenize(std::string_view text);

}  // namespace cupilot
