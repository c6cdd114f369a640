// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/token.h"

#include <algorithm>

namespace cupilot::directive {
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

}  // namespace cupilot::directive
