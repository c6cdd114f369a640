// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/token.h"

#include <algorithm>

#include "annotate/directive/literal.h"
#include "annotate/directive/operators.h"

namespace cupilot {
namespace {

std::size_t string_length(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

std::pair<TokenKind, std::size_t> token_at(std::string_view text) {
  const char first = text[0];
  if (is_name_start(first))
    return {TokenKind::name, std::ranges::find_if_not(text, is_name_part) - text.begin()};
  if (is_digit(first) || (first == '.' && text.size() > 1 && is_digit(text[1])))
    return {TokenKind::number, literal_length(text)};
  if (first == '"') return {TokenKind::string, string_length(text)};
  const BinaryOperator *op = binary_operator_at(text);
  return {TokenKind::punctuation, op ? op->spelling.size() : 1};
}

}  // namespace

void PlacedText::append(const Token &token) {
  if (token.blank_before && !text_.empty()) text_ += ' ';
  starts_.emplace_back(text_.size(), token.place);
  text_ += token.text;
}

SourcePlace PlacedText::place_at(std::size_t offset) const {
  if (starts_.empty()) return {};
  auto after = std::ranges::upper_bound(starts_, offset, {}, [](const auto &start) { return start.first; });
  if (after != starts_.begin()) --after;
  SourcePlace place = after->second;
  place.column += static_cast<int>(offset - std::min(offset, after->first));
  return place;
}

std::vector<Token> lex_directive(std::string_view text, SourcePlace place) {
  std::vector<Token> tokens;
  bool blank = false;
  while (!text.empty()) {
    const bool line_end = text[0] == '\n' || text.starts_with("\\\n");
    if (line_end) {
      text.remove_prefix(text[0] == '\n' ? 1 : 2);
      ++place.line;
      place.column = 1;
      blank = true;
      continue;
    }
    std::size_t length = 1;
    if (text[0] == ' ' || text[0] == '\t' || text[0] == '\r') {
      blank = true;
    } else {
      const auto [kind, size] = token_at(text);
      tokens.push_back({kind, std::string(text.substr(0, size)), place, blank});
      blank = false;
      length = size;
    }
    text.remove_prefix(length);
    place.column += static_cast<int>(length);
  }
  return tokens;
}

}  // namespace cupilot
