// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/ptx/locations.h"

#include <algorithm>

namespace cupilot::ptx {
namespace {

constexpr std::int64_t kMostFiles = 100'000;

}  // namespace

std::uint32_t Locations::keep(const Location &place) {
  const auto next = static_cast<std::uint32_t>(module_.locations.size());
  const auto [known, fresh] = known_.emplace(place, next);
  if (fresh) module_.locations.push_back(place);
  latest_[{place.file, place.line, place.column, 0}] = known->second;
  return known->second;
}

bool Locations::place(Lexer &lexer, Location &place) {
  std::int64_t file = 0, line = 0, column = 0;
  const Token start = lexer.now();
  if (!lexer.expect_integer(file, "the number of a file") || !lexer.expect_integer(line, "a line") ||
      !lexer.expect_integer(column, "a column"))
    return false;
  if (file < 0 || file > kMostFiles)
    return lexer.fail_at(start, "no file has the number " + std::to_string(file));
  constexpr std::int64_t kMost = 0xffffffff;
  place = {static_cast<std::uint32_t>(file),
           static_cast<std::uint32_t>(std::clamp<std::int64_t>(line, 0, kMost)),
           static_cast<std::uint32_t>(std::clamp<std::int64_t>(column, 0, kMost)), 0};
  highest_file_ = std::max(highest_file_, place.file);
  return true;
}

/// ", function_name $L__info_string0+12, inlined_at 1 23 2"
bool Locations::inlined(Lexer &lexer, Location &place) {
  std::string_view word;
  if (!lexer.expect_word(word, "function_name or inlined_at")) return false;
  if (word == "function_name") {
    if (!lexer.expect_word(word, "the label of a name")) return false;
    std::int64_t offset = 0;
    if (lexer.accept('+') && !lexer.expect_integer(offset, "an offset")) return false;
    return true;
  }
  if (word != "inlined_at") return lexer.fail("'" + shown(word) + "' is not known in .loc");
  Location call;
  if (!this->place(lexer, call)) return false;
  const auto known = latest_.find(call);
  place.inlined_at = (known != latest_.end() ? known->second : keep(call)) + 1;
  return true;
}

bool Locations::loc(Lexer &lexer) {
  const std::uint32_t line = lexer.now().line;
  Location place;
  if (!this->place(lexer, place)) return false;
  while (lexer.accept(','))
    if (!inlined(lexer, place)) return false;
  // DWARF's further words ("prologue_end", "is_stmt 0") stand on the same line; nothing else ends a .loc.
  while (lexer.now().line == line &&
         (lexer.now().kind == TokenKind::word || lexer.now().kind == TokenKind::integer))
    lexer.advance();
  // Line 0 marks code that belongs to no line; the line before it says more than nothing.
  if (place.line != 0 || now_ == 0) now_ = keep(place);
  return true;
}

bool Locations::file(Lexer &lexer) {
  const Token start = lexer.now();
  std::int64_t number = 0;
  if (!lexer.expect_integer(number, "the number of a file")) return false;
  if (number < 0 || number > kMostFiles)
    return lexer.fail_at(start, "no file has the number " + std::to_string(number));
  if (lexer.now().kind != TokenKind::string) return lexer.unexpected("the name of a file");
  const auto index = static_cast<std::size_t>(number);
  if (module_.files.size() <= index) module_.files.resize(index + 1);
  module_.files[index] = std::string(lexer.now().text);
  lexer.advance();
  std::int64_t ignored = 0;  // a time stamp and a size
  while (lexer.accept(','))
    if (!lexer.expect_integer(ignored, "a number")) return false;
  return true;
}

void Locations::finish() {
  if (module_.files.size() <= highest_file_) module_.files.resize(highest_file_ + std::size_t{1});
}

}  // namespace cupilot::ptx
