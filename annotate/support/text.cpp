// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/text.h"

#include <algorithm>
#include <numeric>

namespace cupilot {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// A character of UTF-8: its number and its size in bytes; the size is 0 for bytes that are none.
struct Character {
  char32_t number = 0;
  std::size_t bytes = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > text.size()) return {};
  char32_t number = first & (0x7f >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    number = number << 6 | (byte(i) & 0x3f);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = number >= 0xd800 && number <= 0xdfff;
  return number < kSmallest[size] || number > 0x10ffff || surrogate ? Character{} : Character{number, size};
}

/// Controls of a terminal, and Unicode's line ends and marks for the direction of writing (UAX 9).
bool acts_on_terminals(char32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c <= 0x9f) || c == 0x061c || c == 0x200e ||
         c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

std::string escaped(char kind, unsigned number, int digits) {
  std::string text = {'\\', kind};
  while (digits--) text += "0123456789abcdef"[number >> 4 * digits & 0xf];
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character one = character_at(text, at);
    if (text.substr(at, 2) == "\r\n") {
      ++at;  // a line end of other systems
      continue;
    }
    if (one.bytes == 0 || (one.number < 0x100 && acts_on_terminals(one.number)))
      shown += escaped('x', one.bytes ? one.number : static_cast<unsigned char>(text[at]), 2);
    else if (acts_on_terminals(one.number))
      shown += escaped('u', one.number, 4);
    else
      shown += text.substr(at, one.bytes);
    at += std::max<std::size_t>(one.bytes, 1);
  }
  return shown;
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string> split_lines(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text.empty() ? std::vector<std::string>{} : split(text, '\n');
}

std::string join(const std::vector<std::string> &parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i) text += separator;
    text += parts[i];
  }
  return text;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string closest(std::string_view word, const std::vector<std::string> &known) {
  std::string best;
  auto best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto &candidate : known)
    if (const auto distance = edit_distance(word, candidate); distance < best_distance)
      best_distance = distance, best = candidate;
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string> &known) {
  const std::string near = closest(word, known);
  if (!near.empty()) return "did you mean '" + near + "'?";
  return known.empty() ? "" : "known here: " + join(known, ", ");
}

std::string shell_quote(std::string_view text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-+=./:,@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return std::string(text);
  return "'" + replace_all(std::string(text), "'", "'\\''") + "'";
}

}  // namespace cupilot
