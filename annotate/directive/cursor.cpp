// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/cursor.h"

namespace cupilot::directive {
namespace {

bool opens(const Token &token) {
  return token.text == "(" || token.text == "[";
}
bool shuts(const Token &token) {
  return token.text == ")" || token.text == "]";
}

}  // namespace

Cursor::Cursor(const std::vector<Token> &tokens, SourcePlace end, std::vector<Diagnostic> &diagnostics)
    : tokens_(tokens), diagnostics_(diagnostics) {
  end_.place = std::move(end);
  if (tokens.empty()) return;
  end_.place = tokens.back().place;
  end_.place.column += static_cast<int>(tokens.back().text.size());
}

bool Cursor::expect(std::string_view text, std::string_view usage) {
  if (take(text)) return true;
  complain(peek().place, "expected '" + std::string(text) + "' before " + here(),
           "write " + std::string(usage));
  return false;
}

PlacedText Cursor::until_separator() {
  PlacedText text;
  for (int depth = 0; !done(); ++at_) {
    const Token &token = tokens_[at_];
    if (depth == 0 && (token.text == "," || shuts(token))) break;
    if (opens(token)) ++depth;
    if (shuts(token)) --depth;
    text.append(token);
  }
  return text;
}

std::optional<std::size_t> Cursor::closing() const {
  int depth = 1;
  for (std::size_t i = at_; i < tokens_.size(); ++i) {
    if (tokens_[i].text == "(") ++depth;
    if (tokens_[i].text == ")" && --depth == 0) return i;
  }
  return std::nullopt;
}

void Cursor::skip_arguments() {
  if (take("(")) go_past(closing().value_or(tokens_.size() - 1));
}

void Cursor::complain(const SourcePlace &place, std::string message, std::string remedy) {
  complained_ = true;
  diagnostics_.push_back({Severity::error, place, std::move(message), "", std::move(remedy)});
}

std::string Cursor::here() const {
  return done() ? "the end of the directive" : "'" + tokens_[at_].text + "'";
}

}  // namespace cupilot::directive
