// SPDX-License-Identifier: Apache-2.0
//
// The tokens of a directive that a test writes as text. In a real source Clang makes them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/directive/literal.h"
#include "annotate/directive/source_lexer.h"
#include "annotate/directive/token.h"

namespace cupilot {
using namespace directive;

/// `place` is that of the first byte.
inline std::vector<Token> lex_directive(std::string_view text, const SourcePlace &place) {
  std::vector<Token> tokens;
  const LineIndex lines(text);
  std::size_t end = 0;
  for (const RawToken &raw : lex_source(text).tokens) {
    Token token{.text = std::string(text.substr(raw.begin, raw.end - raw.begin)), .place = place};
    const char first = token.text[0];
    token.kind = raw.identifier    ? TokenKind::name
                 : first == '"'    ? TokenKind::string
                 : is_digit(first) ? TokenKind::number
                                   : TokenKind::punctuation;
    const int line = lines.line(raw.begin);
    const auto offset = static_cast<int>(raw.begin - lines.line_begin(line));
    token.place.line += line - 1;
    token.place.column = offset + (line == 1 ? place.column : 1);
    token.blank_before = raw.begin > end;
    end = raw.end;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace cupilot
