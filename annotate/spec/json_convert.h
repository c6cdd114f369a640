// SPDX-License-Identifier: Apache-2.0
//
// Only the *_json.cpp files and the reports of driver/cli include this header. It reads and writes every
// struct that annotate/support/fields.h describes, and it holds the one wrapper that turns exceptions of the
// JSON library into errors. JSON objects keep their order everywhere, so the text is stable. An error begins
// with the path of the member: "measurements[2].original.samples_us: ...".

#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "annotate/spec/enum_names.h"
#include "annotate/spec/spec_fields.h"
#include "annotate/support/fields.h"
#include "annotate/support/result.h"

namespace cupilot::spec {

using Json = nlohmann::ordered_json;

/// The position in a document that is being read.
struct JsonPath {
  const JsonPath *up = nullptr;
  std::string_view name{};  ///< of a member; empty: an item of a list
  std::size_t index = 0;

  std::string text() const {
    if (up == nullptr) return {};
    const std::string above = up->text();
    if (name.empty()) return above + "[" + std::to_string(index) + "]";
    return above.empty() ? std::string(name) : above + "." + std::string(name);
  }
  [[noreturn]] void fail(const std::string &message) const {
    const std::string where = text();
    throw std::runtime_error(where.empty() ? message : where + ": " + message);
  }
};

/// A type whose JSON form does not follow from a description has this pair of functions instead.
Json own_json(const Precision &precision);
void read_own_json(const Json &json, Precision &precision);

template <class T>
concept HasOwnJson = requires(const T &value, T &into, const Json &json) {
  { own_json(value) } -> std::same_as<Json>;
  read_own_json(json, into);
};

// --- writing

template <class T, class View = Whole>
Json json_of(const T &value, const View &view = {});

template <class T, class... Items>
void write_members(Json &json, const T &value, const FieldList<Items...> &list);

template <class T, class S, class M, class View>
void write_item(Json &json, const T &value, const Field<S, M, View> &item) {
  static const S kDefault{};
  if (item.presence == Presence::sparse && value.*item.member == kDefault.*item.member) return;
  json[item.name] = json_of(value.*item.member, item.view);
}
template <class T, class List>
void write_item(Json &json, const T &value, const Group<List> &item) {
  Json inner = Json::object();
  write_members(inner, value, item.list);
  json[item.name] = std::move(inner);
}
template <class T, class S, class M, class List>
void write_item(Json &json, const T &value, const Inlined<S, M, List> &item) {
  write_members(json, value.*item.member, item.list);
}
/// Nothing is written for an optional member that is not set.
template <class T, class S, class M, class List>
void write_item(Json &json, const T &value, const Inlined<S, std::optional<M>, List> &item) {
  if (const auto &inner = value.*item.member) write_members(json, *inner, item.list);
}
template <class T, class... Items>
void write_item(Json &json, const T &value, const FieldList<Items...> &list) {
  write_members(json, value, list);
}
template <class T, class Function>
void write_item(Json &json, const T &value, const Computed<Function> &item) {
  json[item.name] = json_of(item.function(value));
}
template <class T, class S, class M>
void write_item(Json &, const T &, const Unwritten<S, M> &) {}

template <class T, class... Items>
void write_members(Json &json, const T &value, const FieldList<Items...> &list) {
  for_each_item(list, [&](const auto &item) { write_item(json, value, item); });
}

// One overload for each kind of container.
template <class First, class Second, class View>
Json container_json(const std::pair<First, Second> &pair, const View &view) {
  return Json::array({json_of(pair.first, view), json_of(pair.second, view)});
}
template <class T, class View>
Json container_json(const std::map<std::string, T> &map, const View &view) {
  Json json = Json::object();
  for (const auto &[key, value] : map) json[key] = json_of(value, view);
  return json;
}
template <class E, class T, class View>
  requires std::is_enum_v<E>
Json container_json(const std::map<E, T> &map, const View &view) {
  Json json = Json::object();
  for (const auto &[key, value] : map) json[enum_name(key)] = json_of(value, view);
  return json;
}
template <class T, class View>
Json container_json(const std::optional<T> &optional, const View &view) {
  return optional ? json_of(*optional, view) : Json();
}
template <class... T, class View>
Json container_json(const std::variant<T...> &variant, const View &view) {
  return std::visit([&](const auto &value) { return json_of(value, view); }, variant);
}
template <class List, class View>
  requires requires(const List &list) { list.begin(); }
Json container_json(const List &list, const View &view) {
  Json json = Json::array();
  for (const auto &item : list) json.push_back(json_of(item, view));
  return json;
}

template <class T>
concept JsonScalar = std::is_arithmetic_v<T> || std::same_as<T, std::string>;

template <class T, class View>
Json json_of(const T &value, const View &view) {
  if constexpr (JsonScalar<T> || std::same_as<T, const char *> || std::same_as<T, Json>) {
    return Json(value);
  } else if constexpr (std::is_enum_v<T>) {
    return Json(enum_name(value));
  } else if constexpr (requires { container_json(value, view); }) {
    return container_json(value, view);
  } else if constexpr (!std::same_as<View, Whole>) {
    Json json = Json::object();
    write_members(json, value, view);
    return json;
  } else if constexpr (HasOwnJson<T>) {
    return own_json(value);
  } else {
    Json json = Json::object();
    write_members(json, value, described<T>());
    return json;
  }
}

// --- reading

template <class T, class View = Whole>
void read_json_into(const Json &json, T &into, const JsonPath &path = {}, const View &view = {});

inline void need(bool good, const JsonPath &path, const char *what) {
  if (!good) path.fail(what);
}

template <class T, class... Items>
void read_members(const Json &json, T &into, const JsonPath &path, const FieldList<Items...> &list);

/// The member, or null where it may be absent.
inline const Json *find_member(const Json &json, const char *name, Presence presence, const JsonPath &path) {
  const auto found = json.find(name);
  if (found != json.end()) return &*found;
  if (presence == Presence::always) path.fail(std::string("no member '") + name + "'");
  return nullptr;
}

template <class T, class S, class M, class View>
void read_item(const Json &json, T &into, const JsonPath &path, const Field<S, M, View> &item) {
  const Json *member = find_member(json, item.name, item.presence, path);
  if (member == nullptr) return;
  if constexpr (std::same_as<M, double>) {
    if (item.null_is_nan && member->is_null()) {
      into.*item.member = std::numeric_limits<double>::quiet_NaN();
      return;
    }
  }
  read_json_into(*member, into.*item.member, {&path, item.name}, item.view);
}
template <class T, class List>
void read_item(const Json &json, T &into, const JsonPath &path, const Group<List> &item) {
  if (const Json *inner = find_member(json, item.name, item.presence, path))
    read_members(*inner, into, {&path, item.name}, item.list);
}
template <class T, class S, class M, class List>
void read_item(const Json &json, T &into, const JsonPath &path, const Inlined<S, M, List> &item) {
  read_members(json, into.*item.member, path, item.list);
}
template <class T, class... Items>
void read_item(const Json &json, T &into, const JsonPath &path, const FieldList<Items...> &list) {
  read_members(json, into, path, list);
}
template <class T, class Function>
void read_item(const Json &, T &, const JsonPath &, const Computed<Function> &) {}
template <class T, class S, class M>
void read_item(const Json &, T &, const JsonPath &, const Unwritten<S, M> &) {}

template <class T, class... Items>
void read_members(const Json &json, T &into, const JsonPath &path, const FieldList<Items...> &list) {
  need(json.is_object(), path, "must be an object");
  for_each_item(list, [&](const auto &item) { read_item(json, into, path, item); });
}

template <class First, class Second, class View>
void read_container(const Json &json, std::pair<First, Second> &into, const JsonPath &path,
                    const View &view) {
  need(json.is_array() && json.size() == 2, path, "must be a list of 2");
  read_json_into(json[0], into.first, {&path, {}, 0}, view);
  read_json_into(json[1], into.second, {&path, {}, 1}, view);
}
template <class T, class View>
void read_container(const Json &json, std::map<std::string, T> &into, const JsonPath &path,
                    const View &view) {
  need(json.is_object(), path, "must be an object");
  into.clear();
  for (const auto &[key, value] : json.items()) read_json_into(value, into[key], {&path, key}, view);
}
template <class T, class View>
void read_container(const Json &json, std::optional<T> &into, const JsonPath &path, const View &view) {
  if (json.is_null())
    into.reset();
  else
    read_json_into(json, into.emplace(), path, view);
}
/// A number written with a decimal point is read as a double, any other as an integer. JSON has no NaN, which
/// is written as null.
template <class View>
void read_container(const Json &json, std::variant<std::int64_t, double> &into, const JsonPath &path,
                    const View &view) {
  if (json.is_null())
    into = std::numeric_limits<double>::quiet_NaN();
  else if (json.is_number_float())
    read_json_into(json, into.template emplace<double>(), path, view);
  else
    read_json_into(json, into.template emplace<std::int64_t>(), path, view);
}
template <class T, std::size_t N, class View>
void read_container(const Json &json, std::array<T, N> &into, const JsonPath &path, const View &view) {
  if (!json.is_array() || json.size() != N) path.fail("must be a list of " + std::to_string(N));
  for (std::size_t i = 0; i < N; ++i) read_json_into(json[i], into[i], {&path, {}, i}, view);
}
template <class T, class View>
void read_container(const Json &json, std::vector<T> &into, const JsonPath &path, const View &view) {
  need(json.is_array(), path, "must be a list");
  into.clear();
  into.reserve(json.size());
  for (const Json &item : json) {
    const JsonPath here{&path, {}, into.size()};
    read_json_into(item, into.emplace_back(), here, view);
  }
}
template <class T, class View>
void read_container(const Json &json, std::set<T> &into, const JsonPath &path, const View &view) {
  std::vector<T> items;
  read_container(json, items, path, view);
  into = {items.begin(), items.end()};
}

template <JsonScalar T>
void read_scalar(const Json &json, T &into, const JsonPath &path) {
  if constexpr (std::same_as<T, bool>) {
    need(json.is_boolean(), path, "must be true or false");
  } else if constexpr (std::integral<T>) {
    need(json.is_number_integer(), path, "must be a whole number");
    const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                : std::in_range<T>(json.get<std::int64_t>());
    need(fits, path, "is out of range");
  } else if constexpr (std::floating_point<T>) {
    need(json.is_number(), path, "must be a number");
  } else {
    need(json.is_string(), path, "must be a text");
  }
  json.get_to(into);
}

template <class T, class View>
void read_json_into(const Json &json, T &into, const JsonPath &path, const View &view) {
  if constexpr (JsonScalar<T>) {
    read_scalar(json, into, path);
  } else if constexpr (std::is_enum_v<T>) {
    std::string name;
    read_scalar(json, name, path);
    const auto value = enum_from_name<T>(name);
    if (!value) path.fail("unknown value '" + name + "'");
    into = *value;
  } else if constexpr (requires { read_container(json, into, path, view); }) {
    read_container(json, into, path, view);
  } else if constexpr (!std::same_as<View, Whole>) {
    read_members(json, into, path, view);
  } else if constexpr (HasOwnJson<T>) {
    try {
      read_own_json(json, into);
    } catch (const std::exception &problem) {
      path.fail(problem.what());
    }
  } else {
    read_members(json, into, path, described<T>());
  }
}

// --- documents

/// Writes `{"<tag>":<version>, members...}`.
template <class T, class... Items>
Json document_of(const char *tag, int version, const T &value, const FieldList<Items...> &list) {
  Json json{{tag, version}};
  write_members(json, value, list);
  return json;
}
template <Described T>
Json document_of(const char *tag, int version, const T &value) {
  return document_of(tag, version, value, described<T>());
}

/// Reads one versioned document. `read(json)` may throw, as at() and get<>() do; the exception becomes an
/// error that names the member. `tag` is the version member ("cupilot_spec"), `version` the only accepted
/// version.
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

/// Reads a document that holds a described struct. Members that the text lacks keep their values from
/// `start`.
template <Described T>
Result<T> read_document(std::string_view text, const char *tag, int version, T start = {}) {
  return read_json<T>(text, tag, version, [&](const Json &json) {
    read_json_into(json, start);
    return std::move(start);
  });
}

/// JSON on one line. Bytes that are not UTF-8 (in compiler logs) are replaced instead of throwing.
inline std::string one_line(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class T>
void optional_member(const Json &json, const char *member, T &into) {
  if (const auto found = json.find(member); found != json.end()) found->get_to(into);
}

/// Lets nlohmann's containers and assignments convert described structs.
template <Described T>
void to_json(Json &json, const T &value) {
  json = json_of(value);
}
template <Described T>
void from_json(const Json &json, T &into) {
  read_json_into(json, into);
}

}  // namespace cupilot::spec
