// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "annotate/support/text.h"
#include "evolution/provider/dialect_json.h"

namespace cupilot::provider {
namespace {

std::string shortened(std::string_view text) {
  text = trim(text);
  std::string line(text.substr(0, kMostQuotedBytes));
  if (text.size() > line.size()) line += "...";
  std::ranges::replace(line, '\n', ' ');
  return line;
}

/// Collects types and codes at any depth; sentences are not among them.
void collect_words(const spec::Json &json, std::vector<std::string> &words) {
  for (const auto &[name, value] : json.items()) {
    if (value.is_structured()) collect_words(value, words);
    if (value.is_string() && name != "message") words.push_back(value.get<std::string>());
  }
}

}  // namespace

bool ServerError::has(std::string_view word) const {
  return std::ranges::find(words, word) != words.end();
}

ServerError server_error_in(const spec::Json &json) {
  ServerError error;
  const spec::Json &inner = member_or_null(json, "error");
  if (json.is_structured()) collect_words(json, error.words);
  for (const spec::Json *place : {&member_or_null(inner, "message"), &inner, &member_or_null(json, "message"),
                                  &member_or_null(json, "detail")}) {
    if (!place->is_string() || !error.message.empty()) continue;
    error.message = shortened(place->get<std::string>());
  }
  if (error.message.empty()) error.message = shortened(spec::one_line(inner.is_null() ? json : inner));
  return error;
}

ServerError server_error(std::string_view body) {
  const spec::Json json = spec::Json::parse(body, nullptr, false);
  if (json.is_discarded()) return {.message = shortened(body)};
  return server_error_in(json);
}

}  // namespace cupilot::provider
