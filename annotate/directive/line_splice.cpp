// SPDX-License-Identifier: Apache-2.0
#include "annotate/directive/line_splice.h"

#include <algorithm>

namespace cupilot::directive {

std::size_t splice_length(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '\\') return 0;
  const std::size_t end = text.find_first_not_of(" \t\f\v", at + 1);
  if (end == std::string_view::npos) return 0;
  if (text[end] == '\n') return end + 1 - at;
  return text.substr(end).starts_with("\r\n") ? end + 2 - at : 0;
}

bool raw_string_prefix(std::string_view word) {
  constexpr std::string_view kPrefixes[] = {"R", "u8R", "uR", "UR", "LR"};
  return std::ranges::find(kPrefixes, word) != std::end(kPrefixes);
}

SplicedText splice_lines(std::string_view text) {
  SplicedText spliced;
  spliced.text.reserve(text.size());
  spliced.origin.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t length = splice_length(text, at)) {
      at += length;
      continue;
    }
    spliced.text += text[at];
    spliced.origin.push_back(at++);
  }
  return spliced;
}

}  // namespace cupilot::directive
