// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/ptx/lexer.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstring>

namespace cupilot::emulate::ptx {
namespace {

// Bytes above ASCII are letters: compilers pass identifiers in UTF-8 through.
constexpr auto kWordBytes = [] {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c)
    table[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '$' || c >= 0x80;
  return table;
}();

bool in_word(char c) {
  return kWordBytes[static_cast<unsigned char>(c)];
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

const char *word_end(const char *at, const char *end) {
  while (at < end && in_word(*at)) ++at;
  return at;
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string result;
  for (const char c : text.substr(0, kMost)) result += c >= ' ' && c != 0x7f ? c : '?';
  return text.size() > kMost ? result + "..." : result;
}

Lexer::Lexer(std::string_view text, std::string name)
    : at_(text.data()), end_(text.data() + text.size()), line_start_(at_), name_(std::move(name)) {
  advance();
}

bool Lexer::fail_at(const Token &token, const std::string &what) {
  if (failed()) return false;
  error_ = fmt::format("{}:{}:{}: {}", name_, token.line, token.column, what);
  at_ = end_;
  now_.kind = TokenKind::end;
  return false;
}

bool Lexer::unexpected(std::string_view expected) {
  std::string found = "the end of the text";
  if (now_.kind == TokenKind::dotted)
    found = fmt::format("'.{}'", shown(now_.text));
  else if (!at_end())
    found = fmt::format("'{}'", shown(now_.text));
  return fail(fmt::format("expected {}, found {}", expected, found));
}

bool Lexer::accept(char sign) {
  if (!is(sign)) return false;
  advance();
  return true;
}
bool Lexer::accept_dotted(std::string_view text) {
  if (!is_dotted(text)) return false;
  advance();
  return true;
}
bool Lexer::expect(char sign) {
  return accept(sign) || unexpected(fmt::format("'{}'", sign));
}
bool Lexer::expect_word(std::string_view &word, std::string_view what) {
  if (now_.kind != TokenKind::word) return unexpected(what);
  word = now_.text;
  advance();
  return true;
}
bool Lexer::expect_integer(std::int64_t &value, std::string_view what) {
  if (now_.kind != TokenKind::integer) return unexpected(what);
  value = now_.integer;
  advance();
  return true;
}

bool Lexer::skip_comment() {
  if (at_ + 1 >= end_) return false;
  if (at_[1] == '/') {
    const char *from = at_;
    const void *stop = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
    at_ = stop != nullptr ? static_cast<const char *>(stop) : end_;
    if (comment_line_ == 0) {
      comment_line_ = line_;
      comment_ = {from, static_cast<std::size_t>(at_ - from)};
    }
    return true;
  }
  if (at_[1] != '*') return false;
  for (at_ += 2; at_ + 1 < end_; ++at_) {
    if (at_[0] == '*' && at_[1] == '/') {
      at_ += 2;
      return true;
    }
    if (*at_ == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
  }
  at_ = end_;
  return true;
}

/// Blanks, comments, lines of a preprocessor, and the zero bytes that end texts inside fat binaries.
bool Lexer::skip_blanks() {
  while (at_ < end_) {
    const char c = *at_;
    if (c == '\n') {
      ++line_;
      line_start_ = ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
      ++at_;
    } else if (c == '#' && at_ == line_start_) {
      const void *stop = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
      at_ = stop != nullptr ? static_cast<const char *>(stop) : end_;
    } else if (c != '/' || !skip_comment()) {
      return true;
    }
  }
  return false;
}

void Lexer::advance() {
  comment_line_ = 0;
  const bool more = skip_blanks();
  now_ = {};
  now_.line = line_;
  now_.column = static_cast<std::uint32_t>(at_ - line_start_) + 1;
  if (!more) return;
  const char c = *at_;
  if (is_digit(c)) return number();
  if (in_word(c) || (c == '%' && at_ + 1 < end_ && in_word(at_[1]))) return word();
  if (c == '.' && at_ + 1 < end_ && in_word(at_[1])) return dotted();
  if (c == '"') return string();
  now_.kind = TokenKind::sign;
  now_.sign = c;
  now_.text = {at_, 1};
  ++at_;
}

void Lexer::word() {
  const char *from = at_;
  at_ = word_end(at_ + 1, end_);
  while (at_ + 1 < end_) {
    if (at_[0] == '.' && in_word(at_[1]))
      at_ = word_end(at_ + 1, end_);
    else if (at_[0] == ':' && at_[1] == ':' && at_ + 2 < end_ && in_word(at_[2]))
      at_ = word_end(at_ + 2, end_);
    else
      break;
  }
  now_.kind = TokenKind::word;
  now_.text = {from, static_cast<std::size_t>(at_ - from)};
}

void Lexer::dotted() {
  const char *from = at_ + 1;
  at_ = word_end(from, end_);
  while (at_ + 2 < end_ && at_[0] == ':' && at_[1] == ':' && in_word(at_[2])) at_ = word_end(at_ + 2, end_);
  now_.kind = TokenKind::dotted;
  now_.text = {from, static_cast<std::size_t>(at_ - from)};
}

void Lexer::string() {
  const char *from = ++at_;
  while (at_ < end_ && *at_ != '"' && *at_ != '\n') at_ += *at_ == '\\' && at_ + 1 < end_ ? 2 : 1;
  if (at_ >= end_ || *at_ != '"') {
    fail("this string has no closing quote");
    return;
  }
  now_.kind = TokenKind::string;
  now_.text = {from, static_cast<std::size_t>(at_ - from)};
  ++at_;
}

/// 0f3F800000 and 0d3FF0000000000000: the bits of a floating-point number.
void Lexer::exact_real(std::uint8_t bits) {
  const char *digits = at_ + 2, *last = word_end(digits, end_);
  std::uint64_t value = 0;
  const auto read = std::from_chars(digits, last, value, 16);
  if (last - digits != bits / 4 || read.ptr != last) {
    fail(fmt::format("a floating-point number of {} bits needs {} hexadecimal digits", bits, bits / 4));
    return;
  }
  now_.kind = TokenKind::real;
  now_.bits = bits;
  now_.integer = static_cast<std::int64_t>(value);
  now_.text = {at_, static_cast<std::size_t>(last - at_)};
  at_ = last;
}

void Lexer::radix_integer(const char *digits, int radix) {
  const char *last = word_end(digits, end_);
  const char *stop = last > digits && (last[-1] == 'U' || last[-1] == 'u') ? last - 1 : last;
  std::uint64_t value = 0;
  const auto read = std::from_chars(digits, stop, value, radix);
  now_.text = {at_, static_cast<std::size_t>(last - at_)};
  if (read.ec == std::errc::result_out_of_range) {
    fail(fmt::format("the number {} does not fit into 64 bits", shown(now_.text)));
    return;
  }
  if (read.ptr != stop || digits == stop) {
    fail(fmt::format("'{}' is not a number", shown(now_.text)));
    return;
  }
  now_.kind = TokenKind::integer;
  now_.integer = static_cast<std::int64_t>(value);
  at_ = last;
}

void Lexer::decimal_real(const char *last) {
  double value = 0;
  const auto read = std::from_chars(at_, last, value);
  now_.text = {at_, static_cast<std::size_t>(last - at_)};
  if (read.ptr != last || read.ec != std::errc()) {
    fail(fmt::format("'{}' is not a number that fits into a double", shown(now_.text)));
    return;
  }
  now_.kind = TokenKind::real;
  now_.bits = 64;
  now_.integer = std::bit_cast<std::int64_t>(value);
  at_ = last;
}

void Lexer::number() {
  const char second = at_ + 1 < end_ ? at_[1] : '\0';
  if (*at_ == '0') {
    if (second == 'f' || second == 'F') return exact_real(32);
    if (second == 'd' || second == 'D') return exact_real(64);
    if (second == 'x' || second == 'X') return radix_integer(at_ + 2, 16);
    if (second == 'b' || second == 'B') return radix_integer(at_ + 2, 2);
  }
  const char *last = at_;
  while (last < end_ && is_digit(*last)) ++last;
  const bool point = last < end_ && *last == '.';
  if (point || (last < end_ && (*last == 'e' || *last == 'E'))) {
    if (point) ++last;
    while (last < end_ && is_digit(*last)) ++last;
    if (last < end_ && (*last == 'e' || *last == 'E')) {
      ++last;
      if (last < end_ && (*last == '+' || *last == '-')) ++last;
      while (last < end_ && is_digit(*last)) ++last;
    }
    return decimal_real(last);
  }
  radix_integer(at_, *at_ == '0' && is_digit(second) ? 8 : 10);
}

}  // namespace cupilot::emulate::ptx
