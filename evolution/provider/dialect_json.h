// SPDX-License-Identifier: Apache-2.0
//
// Reads the JSON of servers, in which any member may be absent or null. Private to the dialects' *_json.cpp
// files.

#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "annotate/spec/json_convert.h"
#include "evolution/provider/http_dialect.h"

namespace cupilot::provider {

/// The member; null if it is absent or null.
inline const spec::Json &member_or_null(const spec::Json &json, const char *name) {
  static const spec::Json null;
  if (!json.is_object()) return null;
  const auto found = json.find(name);
  return found == json.end() ? null : *found;
}

/// The member's text; "" if it is absent or null. Throws if it is not text; read_event() catches that.
inline std::string text_member(const spec::Json &json, const char *name) {
  const spec::Json &value = member_or_null(json, name);
  if (value.is_null()) return {};
  if (!value.is_string()) throw std::runtime_error(fmt::format("member '{}' is not text", name));
  return value.get<std::string>();
}

/// The member's count; absent if it is missing, null, negative or not an integer. A wrong detail must not
/// cost a whole answer.
inline std::optional<long long> count_member(const spec::Json &json, const char *name) {
  const spec::Json &value = member_or_null(json, name);
  if (!value.is_number_integer() || value.get<long long>() < 0) return {};
  return value.get<long long>();
}

ServerError server_error_in(const spec::Json &json);

/// Calls `read(json)` with the event's JSON object; an exception it throws becomes an error.
template <class Read>
Result<void> read_event(const ServerEvent &event, Read read) {
  try {
    const spec::Json json = spec::Json::parse(event.data);
    if (!json.is_object()) return fail("an event of its stream is not a JSON object");
    read(json);
    return {};
  } catch (const spec::Json::parse_error &) {
    return fail("its stream has malformed JSON: " + event.data.substr(0, kFewQuotedBytes));
  } catch (const std::exception &problem) {
    return fail(std::string("its stream does not have the expected schema: ") + problem.what());
  }
}

}  // namespace cupilot::provider
