// SPDX-License-Identifier: Apache-2.0
//
// PTX text to tokens, one at a time. After the first error every further token is `end`, so loops over tokens
// always come to their end.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cupilot::emulate::ptx {

enum class TokenKind : std::uint8_t {
  end,
  word,     ///< identifier; dots and "::" inside belong to it: "add.rn.f32", "%tid.x", "$L__BB0_1"
  dotted,   ///< ".reg"; text without the dot
  integer,  ///< value in `integer`
  real,     ///< bits in `integer`; 32 of them for 0f..., else 64
  string,   ///< text without the quotes, escapes as written
  sign,     ///< one character
};

struct Token {
  TokenKind kind = TokenKind::end;
  char sign = 0;
  std::uint8_t bits = 0;
  std::uint32_t line = 1, column = 1;
  std::int64_t integer = 0;
  std::string_view text;
};

/// The text as a stream of tokens with one of them in view, and the place where the first error is kept.
class Lexer {
public:
  Lexer(std::string_view text, std::string name);

  const Token &now() const { return now_; }
  void advance();
  bool at_end() const { return now_.kind == TokenKind::end; }
  bool is(char sign) const { return now_.kind == TokenKind::sign && now_.sign == sign; }
  bool is_dotted(std::string_view text) const { return now_.kind == TokenKind::dotted && now_.text == text; }
  /// Steps over the sign (word after a dot) if it comes now.
  bool accept(char sign);
  bool accept_dotted(std::string_view text);
  /// The same, or an error.
  bool expect(char sign);
  bool expect_word(std::string_view &word, std::string_view what);
  bool expect_integer(std::int64_t &value, std::string_view what);
  /// The first comment between the last two tokens, when it stands on that line; else empty.
  std::string_view comment_on(std::uint32_t line) const {
    return comment_line_ == line ? comment_ : std::string_view();
  }
  /// The character right behind the token in view; 0 at the end.
  char following() const { return at_ < end_ ? *at_ : '\0'; }

  /// Keeps the first error; always false.
  bool fail(const std::string &what) { return fail_at(now_, what); }
  bool fail_at(const Token &token, const std::string &what);
  /// "expected ';', found '}'"
  bool unexpected(std::string_view expected);
  bool failed() const { return !error_.empty(); }
  const std::string &error() const { return error_; }

  /// Constant expressions and braces nest no deeper than this, so that no text can exhaust the stack.
  static constexpr int kMostNesting = 128;
  int nesting = 0;

private:
  bool skip_blanks();
  bool skip_comment();
  void word();
  void dotted();
  void number();
  void exact_real(std::uint8_t bits);
  void decimal_real(const char *last);
  void radix_integer(const char *digits, int radix);
  void string();

  const char *at_, *end_, *line_start_;
  std::uint32_t line_ = 1, comment_line_ = 0;
  std::string_view comment_;
  Token now_;
  std::string name_, error_;
};

/// Text of bounded length for a message, unprintable bytes replaced.
std::string shown(std::string_view text);

}  // namespace cupilot::emulate::ptx
