// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/ptx/locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace cupilot::emulate::ptx {
namespace {

constexpr std::int64_t kMostFiles = 100'000;
constexpr std::uint32_t kFirstNamed = kMostFiles + 1;

std::string out_of_range(std::int64_t file) {
  return fmt::format("the file number {} is not between 0 and {}", file, kMostFiles);
}

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// The number behind the last colon, which is cut off with it; false: there is none.
bool cut_number(std::string_view &text, std::uint32_t &number) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const char *from = text.data() + colon + 1, *last = text.data() + text.size();
  const auto read = std::from_chars(from, last, number);
  if (read.ec != std::errc() || read.ptr != last) return false;
  text = text.substr(0, colon);
  return true;
}

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
  if (file < 0 || file > kMostFiles) return lexer.fail_at(start, out_of_range(file));
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
  if (word != "inlined_at") return lexer.fail(fmt::format("'{}' is not known in .loc", shown(word)));
  Location call;
  if (!this->place(lexer, call)) return false;
  const auto known = latest_.find(call);
  place.inlined_at = (known != latest_.end() ? known->second : keep(call)) + 1;
  return true;
}

std::uint32_t Locations::file_named(std::string_view name) {
  const auto next = kFirstNamed + static_cast<std::uint32_t>(names_.size());
  const auto [known, fresh] = name_numbers_.emplace(name, next);
  if (fresh) names_.push_back(name);
  return known->second;
}

/// "b.cu:7:3 @[ b.cu:20:1 ] ]": the index of the call's location + 1, or 0. The outermost call comes last.
std::uint32_t Locations::commented(std::string_view chain) {
  std::uint32_t caller = 0;
  constexpr std::string_view kAt = " @[ ";
  for (int depth = 0; depth < 100 && !chain.empty(); ++depth) {
    const std::size_t last = chain.rfind(kAt);
    std::string_view call = last == std::string_view::npos ? chain : chain.substr(last + kAt.size());
    chain = last == std::string_view::npos ? std::string_view() : chain.substr(0, last);
    while (!call.empty() && (call.back() == ']' || call.back() == ' ' || call.back() == '\r'))
      call.remove_suffix(1);
    Location place;
    std::uint32_t number = 0;
    if (!cut_number(call, number)) return 0;
    place.line = number;
    if (cut_number(call, number)) {
      place.column = place.line;
      place.line = number;
    }
    place.file = file_named(call);
    place.inlined_at = caller;
    caller = keep(place) + 1;
  }
  return caller;
}

bool Locations::loc(Lexer &lexer) {
  const std::uint32_t line = lexer.now().line;
  Location place;
  if (!this->place(lexer, place)) return false;
  const std::string_view comment = lexer.comment_on(line);
  if (const std::size_t chain = comment.find(" @[ "); chain != std::string_view::npos)
    place.inlined_at = commented(comment.substr(chain + 4));
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
  if (number < 0 || number > kMostFiles) return lexer.fail_at(start, out_of_range(number));
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

/// The .file of a name has its folder in front.
std::optional<std::uint32_t> Locations::same_file(const std::vector<std::uint32_t> &files,
                                                  std::string_view name) const {
  constexpr std::size_t kMostTried = 20;
  for (std::size_t i = 0; i < std::min(files.size(), kMostTried); ++i) {
    const std::string &file = module_.files[files[i]];
    if (file.ends_with(name) && (file.size() == name.size() || file[file.size() - name.size() - 1] == '/'))
      return files[i];
  }
  return std::nullopt;
}

void Locations::finish() {
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_last_part;
  if (!names_.empty())
    for (std::uint32_t i = 0; i < module_.files.size(); ++i)
      by_last_part[last_part(module_.files[i])].push_back(i);
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> fresh;
  for (const std::string_view name : names_) {
    const std::uint32_t next = static_cast<std::uint32_t>(module_.files.size() + fresh.size());
    numbers.push_back(same_file(by_last_part[last_part(name)], name).value_or(next));
    if (numbers.back() == next) fresh.emplace_back(name);
  }
  module_.files.insert(module_.files.end(), fresh.begin(), fresh.end());
  for (Location &one : module_.locations)
    if (one.file >= kFirstNamed) one.file = numbers[one.file - kFirstNamed];
  if (module_.files.size() <= highest_file_) module_.files.resize(highest_file_ + std::size_t{1});
}

}  // namespace cupilot::emulate::ptx
