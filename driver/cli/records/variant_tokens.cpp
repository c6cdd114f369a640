// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/records/variant_tokens.h"

#include <algorithm>
#include <charconv>

#include "annotate/directive/source_lexer.h"
#include "annotate/support/text.h"

namespace cupilot::cli::records {
namespace {

struct Marker {
  int line = 0;
  std::string_view file;
};

/// `# 12 "a.cu" 1 3` or `#line 12 "a.cu"`.
std::optional<Marker> marker_in(std::string_view line) {
  if (!line.starts_with('#')) return std::nullopt;
  line = trim(line.substr(1));
  if (line.starts_with("line")) line = trim(line.substr(4));
  Marker marker;
  const auto [rest, problem] = std::from_chars(line.data(), line.data() + line.size(), marker.line);
  const auto open = line.find('"'), close = line.rfind('"');
  if (problem != std::errc() || open == line.npos || close == open) return std::nullopt;
  marker.file = line.substr(open + 1, close - open - 1);
  return marker;
}

std::string from(const std::vector<PlacedToken> &tokens, std::size_t at) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (auto i = at; i < std::min(at + kShown, tokens.size()); ++i)
    text += (text.empty() ? "" : " ") + tokens[i].text;
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::vector<PlacedToken> tokens_of_file(std::string_view preprocessed, std::string_view file) {
  std::string text;
  std::vector<int> lines{0};  // of each line of `text`, which begin with 1
  bool inside = false;
  int line = 0;
  while (!preprocessed.empty()) {
    const auto end = std::min(preprocessed.find('\n'), preprocessed.size());
    const auto one = preprocessed.substr(0, end);
    preprocessed.remove_prefix(std::min(end + 1, preprocessed.size()));
    if (const auto marker = marker_in(one)) {
      inside = marker->file == file;
      line = marker->line;
      continue;
    }
    if (inside) {
      text += std::string(one) + "\n";
      lines.push_back(line);
    }
    ++line;
  }
  const directive::LineIndex index(text);
  std::vector<PlacedToken> tokens;
  for (const auto &token : directive::lex_source(text).tokens)
    tokens.push_back({text.substr(token.begin, token.end - token.begin),
                      lines[std::min(static_cast<std::size_t>(index.line(token.begin)), lines.size() - 1)]});
  return tokens;
}

std::optional<TokenDifference> first_difference(const std::vector<PlacedToken> &first,
                                                const std::vector<PlacedToken> &second) {
  const auto [a, b] = std::ranges::mismatch(first, second, {}, &PlacedToken::text, &PlacedToken::text);
  if (a == first.end() && b == second.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(a - first.begin());
  const int line = a != first.end() ? a->line : b->line;
  return TokenDifference{line, from(first, at), from(second, at)};
}

}  // namespace cupilot::cli::records
