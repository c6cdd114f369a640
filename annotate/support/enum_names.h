// SPDX-License-Identifier: Apache-2.0
//
// The names of enumerators in JSON and in messages. Each enumeration has one table, which is used to write
// and to read. The function that returns it stands beside the enumeration, where argument-dependent lookup
// finds it:
//
//   EnumNames<Severity> names_of(const Severity *);

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace cupilot {

template <class E>
using EnumNames = std::span<const std::pair<E, const char *>>;

template <class E>
EnumNames<E> enum_names() {
  return names_of(static_cast<const E *>(nullptr));
}

template <class E>
const char *enum_name(E value) {
  for (const auto &[enumerator, name] : enum_names<E>())
    if (enumerator == value) return name;
  return "?";
}

template <class E>
std::optional<E> enum_from_name(std::string_view text) {
  for (const auto &[enumerator, name] : enum_names<E>())
    if (text == name) return enumerator;
  return std::nullopt;
}

}  // namespace cupilot
