// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/ids.h"

#include <charconv>

#include "annotate/support/text.h"

namespace cupilot::store {

std::string ids_to_text(const std::vector<std::int64_t> &ids) {
  std::string text;
  for (const std::int64_t id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
  return text;
}

Result<std::vector<std::int64_t>> ids_from_text(std::string_view text) {
  std::vector<std::int64_t> ids;
  for (const std::string &word : split(text, ' ')) {
    if (word.empty()) continue;
    std::int64_t id = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (problem != std::errc() || end != word.data() + word.size())
      return fail("'" + word + "' is not the id of a question");
    ids.push_back(id);
  }
  return ids;
}

}  // namespace cupilot::store
