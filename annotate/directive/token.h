// SPDX-License-Identifier: Apache-2.0
//
// The tokens of one `#pragma cupilot ...` with their places, and expressions as runs of them. Clang makes the
// tokens (annotate/extract); the parser sees nothing of Clang.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "annotate/support/diagnostic.h"

namespace cupilot::directive {

enum class TokenKind { name, number, string, punctuation };

struct Token {
  TokenKind kind = TokenKind::punctuation;
  std::string text;  ///< as written; a string with its quotes
  SourcePlace place;
  bool blank_before = false;
};

/// A part of a directive that stays text until it is evaluated. It remembers the place of each of its bytes.
class PlacedText {
public:
  PlacedText() = default;
  explicit PlacedText(const Token &token) { append(token); }
  void append(const Token &token);
  const std::string &text() const { return text_; }
  bool empty() const { return text_.empty(); }
  SourcePlace place() const { return place_at(0); }
  SourcePlace place_at(std::size_t offset) const;

private:
  std::string text_;
  std::vector<std::pair<std::size_t, SourcePlace>> starts_;  ///< offset of each token, ascending
};

}  // namespace cupilot::directive
