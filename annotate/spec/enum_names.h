// SPDX-License-Identifier: Apache-2.0
//
// The names of enumerators in JSON and in messages. Each enumeration has one table, which is used to write
// and to read.

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

template <class E>
using EnumNames = std::span<const std::pair<E, const char *>>;

/// The specialisation of each enumeration is defined beside its table.
template <class E>
EnumNames<E> enum_names();

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

template <>
EnumNames<ElementType> enum_names<ElementType>();
template <>
EnumNames<BufferRole> enum_names<BufferRole>();
template <>
EnumNames<FillKind> enum_names<FillKind>();
template <>
EnumNames<LaunchKind> enum_names<LaunchKind>();
template <>
EnumNames<PrecisionKind> enum_names<PrecisionKind>();
template <>
EnumNames<Severity> enum_names<Severity>();

}  // namespace cupilot
