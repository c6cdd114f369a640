// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/constants.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "evolution/judge/screen/lexer.h"

namespace cupilot::judge::screen {
namespace {

/// Larger numbers are no sizes that a case could have.
constexpr std::int64_t kLargest = 1 << 20;
constexpr std::size_t kMostIntegers = 32, kMostReals = 8, kMostOthers = 12;

struct LineNumbers {
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  bool compares = false;
};

/// "160", "0xA0u", "1'024", "1 << 10" is two numbers.
std::optional<std::int64_t> integer_of(std::string text) {
  std::erase(text, '\'');
  while (!text.empty() && std::string_view("uUlLzZ").contains(text.back())) text.pop_back();
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
  if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
  if (base != 10) text.erase(0, 2);
  if (base == 10 && text.size() > 1 && text[0] == '0') base = 8;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> real_of(std::string text) {
  std::erase(text, '\'');
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string_view rest = end;
  const bool suffix = rest.empty() || rest == "f" || rest == "F" || rest == "l" || rest == "L";
  return suffix && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::map<int, LineNumbers> numbers_of(std::string_view text) {
  std::map<int, LineNumbers> lines;
  const TokenList list = tokenize(text);
  for (std::size_t i = 0; i < list.tokens.size(); ++i) {
    const CodeToken &token = list.tokens[i];
    LineNumbers &line = lines[token.line];
    if (token.kind == CodeTokenKind::number) {
      if (const auto integer = integer_of(token.text))
        line.integers.push_back(*integer);
      else if (const auto real = real_of(token.text))
        line.reals.push_back(*real);
    }
    const bool doubled = i > 0 && is(token, "=") && token.adjacent &&
                         (is(list.tokens[i - 1], "=") || is(list.tokens[i - 1], "!"));
    line.compares = line.compares || doubled || is(token, "?") || is(token, "<") || is(token, ">") ||
                    is(token, "if") || is(token, "switch") || is(token, "case");
  }
  return lines;
}

template <class T>
void insert(std::vector<T> &list, T value, std::size_t most) {
  if (list.size() < most && std::ranges::find(list, value) == list.end()) list.push_back(value);
}

void insert_integer(std::vector<std::int64_t> &list, std::int64_t value, std::size_t most) {
  if (value >= 0 && value <= kLargest) insert(list, value, most);
}

}  // namespace

std::optional<double> number_of(const CodeToken &token) {
  if (token.kind != CodeTokenKind::number) return std::nullopt;
  if (const auto integer = integer_of(token.text)) return static_cast<double>(*integer);
  return real_of(token.text);
}

void add_constants(std::string_view text, std::vector<std::int64_t> &integers, std::vector<double> &reals) {
  const auto lines = numbers_of(text);
  for (const auto &[number, line] : lines) {
    if (!line.compares) continue;
    for (const std::int64_t value : line.integers) insert_integer(integers, value, kMostIntegers);
    for (const double value : line.reals) insert(reals, value, kMostReals);
  }
  for (const auto &[number, line] : lines) {
    if (!line.compares) continue;
    for (std::size_t i = 0; i < line.integers.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (line.integers[i] > 1 && line.integers[j] > 1 && line.integers[i] < kLargest &&
            line.integers[j] < kLargest)
          insert_integer(integers, line.integers[i] * line.integers[j], kMostIntegers);
  }
  const std::size_t most = std::min(kMostIntegers, integers.size() + kMostOthers);
  for (const auto &[number, line] : lines)
    if (!line.compares)
      for (const std::int64_t value : line.integers)
        if (value > 2) insert_integer(integers, value, most);
}

}  // namespace cupilot::judge::screen
