// SPDX-License-Identifier: Apache-2.0
//
// A position in a directive's tokens, and the diagnostics about them. It knows parentheses, so that after an
// error parsing goes on at the next clause.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/directive/token.h"

namespace cupilot::directive {

class Cursor {
public:
  Cursor(const std::vector<Token> &tokens, SourcePlace end, std::vector<Diagnostic> &diagnostics);

  bool done() const { return at_ >= tokens_.size(); }
  bool is(std::string_view text) const { return !done() && tokens_[at_].text == text; }
  bool is_name() const { return !done() && tokens_[at_].kind == TokenKind::name; }
  /// The current token; an empty one at the end.
  const Token &peek() const { return done() ? end_ : tokens_[at_]; }
  Token next() { return done() ? end_ : tokens_[at_++]; }
  bool take(std::string_view text) { return is(text) ? (++at_, true) : false; }

  /// Takes the current token if it is `text`, otherwise complains about it.
  bool expect(std::string_view text, std::string_view usage);
  /// The tokens up to a comma or closing bracket that belongs to this level; there may be none.
  PlacedText until_separator();
  /// Called after `(`. Returns the index of its `)`, or nothing when there is none.
  std::optional<std::size_t> closing() const;
  void go_past(std::size_t closing) { at_ = closing + 1; }
  /// Called after a clause that was not understood. Skips its arguments, if it has any.
  void skip_arguments();

  void complain(const SourcePlace &place, std::string message, std::string remedy = "");
  bool complained() const { return complained_; }
  /// "'x'", or "the end of the directive".
  std::string here() const;

private:
  const std::vector<Token> &tokens_;
  Token end_;
  std::vector<Diagnostic> &diagnostics_;
  std::size_t at_ = 0;
  bool complained_ = false;
};

}  // namespace cupilot::directive
