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

}  // namespace

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
