// SPDX-License-Identifier: Apache-2.0
//
// A place in a directive's tokens, and complaints about it. Knows parentheses, so that after an error parsing
// goes on at the next clause.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/directive/token.h"

namespace cupilot {

class Cursor {
public:
  Cursor(const std::vector<Token> &tokens, SourcePlace end, std::vector<Diagnostic> &diagnostics);

  bool done() const { return at_ >= tokens_.size(); }
  bool is(std::string_view text) const { return !done() && tokens_[at_].text == text; }
  bool is_name() const { return !done() && tokens_[at_].kind == TokenKind::name; }
  /// The current token; a blank one at the end.
  const Token &peek() const { return done() ? end_ : tokens_[at_]; }
  Token next() { return done() ? end_ : tokens_[at_++]; }
  bool take(std::string_view text) { return is(text) ? (++at_, true) : false; }

  /// Complains at the current token unless it is `text`, which is then taken.
  bool expect(std::string_view text, std::string_view usage);
  /// The tokens up to a comma, or a closing bracket, that belongs to this level; may be empty.
  PlacedText until_separator();
  /// Called after `(`: where its `)` stands, nothing when it is never closed.
  std::optional<std::size_t> closing() const;
  void go_past(std::size_t closing) { at_ = closing + 1; }
  /// Called after a clause that was not understood: leaves its arguments, if it has any.
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

}  // namespace cupilot
