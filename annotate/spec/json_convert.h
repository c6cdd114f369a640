// SPDX-License-Identifier: Apache-2.0
//
// For the *_json.cpp files only: nlohmann conversions of the spec's structures, and the one wrapper that
// turns the library's exceptions into errors. Ordered JSON everywhere, so that text is stable.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "annotate/spec/enum_names.h"
#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot {

using Json = nlohmann::ordered_json;

/// Reads one versioned document: `read(json)` may use at() and get<>() freely; what they throw becomes an
/// error that names the member. `tag` is the version member ("cupilot_spec"), `version` the only one
/// understood.
template <class T, class Read>
Result<T> read_json(std::string_view text, const char *tag, int version, Read read) {
  try {
    const Json json = Json::parse(text);
    const auto found = json.find(tag);
    if (found == json.end())
      return fail(std::string("not a document of the expected kind: no member '") + tag + "'");
    if (found->get<int>() != version)
      return fail(std::string("'") + tag + "' is version " + found->dump() + ", this program reads " +
                  std::to_string(version));
    return read(json);
  } catch (const std::exception &problem) {
    return fail(std::string("damaged JSON: ") + problem.what());
  }
}

/// One line. Bytes that are not UTF-8 (compiler logs) are replaced, never thrown at.
inline std::string one_line(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class E>
E enum_member(const Json &json, const char *member) {
  const auto text = json.at(member).get<std::string>();
  if (const auto value = enum_from_name<E>(text)) return *value;
  throw std::runtime_error(std::string("member '") + member + "' has the unknown value '" + text + "'");
}

template <class T>
void optional_member(const Json &json, const char *member, T &into) {
  if (const auto found = json.find(member); found != json.end()) found->get_to(into);
}

void to_json(Json &, const SourcePlace &);
void from_json(const Json &, SourcePlace &);
void to_json(Json &, const Diagnostic &);
void from_json(const Json &, Diagnostic &);
void to_json(Json &, const Parameter &);
void from_json(const Json &, Parameter &);
void to_json(Json &, const Fill &);
void from_json(const Json &, Fill &);
void to_json(Json &, const LaunchShape &);
void from_json(const Json &, LaunchShape &);
void to_json(Json &, const CodeFacts &);
void from_json(const Json &, CodeFacts &);
void to_json(Json &, const Fingerprint &);
void from_json(const Json &, Fingerprint &);
void to_json(Json &, const Precision &);
void from_json(const Json &, Precision &);

}  // namespace cupilot
