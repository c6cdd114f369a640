// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/lexer.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

namespace cupilot::judge::screen {
namespace {

bool name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}
bool digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}
bool name_part(char c) {
  return name_start(c) || digit(c);
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  TokenList run() {
    while (true) {
      skip_blanks();
      if (at_ >= text_.size() || !list_.error.empty()) return std::move(list_);
      const std::size_t begin = at_, before = list_.tokens.size();
      token();
      if (list_.tokens.size() > before) list_.tokens.back().begin = begin, list_.tokens.back().end = at_;
    }
  }

private:
  char here(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void advance() {
    if (text_[at_] == '\n') ++line_, fresh_line_ = true, preprocessor_ = false;
    ++at_;
  }
  /// A backslash at the end of a line joins it with the next, also within the tokens of a directive.
  bool splice() {
    const std::size_t length = starts("\\\n") ? 2 : starts("\\\r\n") ? 3 : 0;
    if (length) at_ += length, ++line_;
    return length != 0;
  }
  void unterminated(const char *what) {
    list_.error = std::string("unterminated ") + what;
    list_.error_line = line_;
    at_ = text_.size();
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (splice()) continue;
      if (std::isspace(static_cast<unsigned char>(here())))
        advance();
      else if (starts("//"))
        while (at_ < text_.size() && here() != '\n') splice() ? void() : void(++at_);
      else if (starts("/*"))
        block_comment();
      else
        return;
    }
  }
  void block_comment() {
    const auto end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return unterminated("comment");
    while (at_ < end + 2) advance();
  }

  void add(CodeTokenKind kind, std::string text, int line) {
    preprocessor_ = preprocessor_ || kind == CodeTokenKind::directive;
    list_.tokens.push_back({kind, std::move(text), line, preprocessor_});
    fresh_line_ = false;
  }

  void token() {
    const int line = line_;
    if (here() == '#' && fresh_line_) return directive(line);
    if (name_start(here())) return name(line);
    if (digit(here()) || (here() == '.' && digit(here(1)))) return number(line);
    if (here() == '"' || here() == '\'') return quoted(line);
    static constexpr std::array<std::string_view, 3> kLong{"<<<", ">>>", "::"};
    for (const auto punctuation : kLong)
      if (starts(punctuation)) {
        at_ += punctuation.size();
        return add(CodeTokenKind::punctuation, std::string(punctuation), line);
      }
    add(CodeTokenKind::punctuation, std::string(1, text_[at_++]), line);
  }

  void directive(int line) {
    ++at_;
    while (at_ < text_.size() && (here() == ' ' || here() == '\t' || splice()))
      at_ += here() == ' ' || here() == '\t';
    std::string word;
    while (at_ < text_.size() && (name_part(here()) || splice()))
      if (name_part(here())) word += text_[at_++];
    add(CodeTokenKind::directive, word, line);
  }

  void name(int line) {
    std::string word;
    while (at_ < text_.size() && (name_part(here()) || splice()))
      if (name_part(here())) word += text_[at_++];
    const bool raw = word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
    if (raw && here() == '"') return raw_string(line);
    add(CodeTokenKind::name, std::move(word), line);
  }

  void number(int line) {
    const auto from = at_;
    while (at_ < text_.size() &&
           (name_part(here()) || here() == '.' || (here() == '\'' && name_part(here(1))) ||
            ((here() == '+' || here() == '-') && exponent())))
      ++at_;
    add(CodeTokenKind::number, std::string(text_.substr(from, at_ - from)), line);
  }
  bool exponent() const {
    const char before = text_[at_ - 1];
    return before == 'e' || before == 'E' || before == 'p' || before == 'P';
  }

  void quoted(int line) {
    const char quote = here();
    const auto from = at_++;
    while (at_ < text_.size() && here() != quote) {
      if (here() == '\n') return unterminated("string or character");
      if (!splice()) at_ += here() == '\\' ? 2 : 1;
    }
    if (at_ >= text_.size()) return unterminated("string or character");
    ++at_;
    add(CodeTokenKind::literal, std::string(text_.substr(from, at_ - from)), line);
  }

  void raw_string(int line) {
    const auto open = text_.find('(', at_);
    if (open == std::string_view::npos) return unterminated("raw string");
    const auto closing = fmt::format("){}\"", text_.substr(at_ + 1, open - at_ - 1));
    const auto end = text_.find(closing, open);
    if (end == std::string_view::npos) return unterminated("raw string");
    const auto from = at_;
    while (at_ < end + closing.size()) advance();
    add(CodeTokenKind::literal, std::string(text_.substr(from, at_ - from)), line);
  }

  std::string_view text_;
  TokenList list_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool preprocessor_ = false;
  bool fresh_line_ = true;  ///< only blanks so far in the line, so a # starts a directive
};

}  // namespace

TokenList tokenize(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace cupilot::judge::screen
