// SPDX-License-Identifier: Apache-2.0
//
// One description per struct: where its members are and how JSON names them, in the order they are written.
// JSON (annotate/spec/json_convert.h), equality, the messages between processes and the run database are all
// derived from it. A description is a function beside the struct, which argument-dependent lookup finds:
//
//   constexpr auto fields_of(const SourcePlace *) {
//     return fields(field("file", &SourcePlace::file), field("line", &SourcePlace::line), ...);
//   }
//
// A namespace with descriptions says `using cupilot::operator==;`, so that the containers of std find it.
// A description that omits a member of its struct does not compile.

#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cupilot {

enum class Presence {
  always,  ///< always written; reading a text without it fails
  later,   ///< always written; older texts lack it, and then the member keeps its value
  sparse,  ///< written only when it differs from the default
};

/// The View of a field whose type is written by its own description.
struct Whole {};

template <class S, class M, class View>
struct Field {
  const char *name;
  M S::*member;
  Presence presence;
  View view;         ///< Whole, or a list that selects which members of a nested struct are written
  bool null_is_nan;  ///< for a double: NaN and infinity are written as null, because JSON has neither
};
/// Several members of the struct, written into a JSON object of their own.
template <class List>
struct Group {
  const char *name;
  Presence presence;
  List list;
};
/// Members of a nested struct, written as if they belonged to the outer struct.
template <class S, class M, class List>
struct Inlined {
  M S::*member;
  List list;
};
/// A value that is written for readers of the JSON text and never read back.
template <class Function>
struct Computed {
  const char *name;
  Function function;
};
/// A member that is neither written nor read.
template <class S, class M>
struct Unwritten {
  M S::*member;
};

template <class... Items>
struct FieldList {
  std::tuple<Items...> items;
};

template <class... Items>
constexpr FieldList<Items...> fields(Items... items) {
  return {{items...}};
}
template <class S, class M, class View = Whole>
constexpr Field<S, M, View> field(const char *name, M S::*member, View view = {}) {
  return {name, member, Presence::always, view, false};
}
template <class S, class M>
constexpr Field<S, M, Whole> later(const char *name, M S::*member) {
  return {name, member, Presence::later, {}, false};
}
template <class S, class M>
constexpr Field<S, M, Whole> sparse(const char *name, M S::*member) {
  return {name, member, Presence::sparse, {}, false};
}
template <class S>
constexpr Field<S, double, Whole> number_or_null(const char *name, double S::*member) {
  return {name, member, Presence::always, {}, true};
}
template <class List>
constexpr Group<List> group(const char *name, Presence presence, List list) {
  return {name, presence, list};
}
template <class S, class M, class List>
constexpr Inlined<S, M, List> inlined(M S::*member, List list) {
  return {member, list};
}
template <class Function>
constexpr Computed<Function> computed(const char *name, Function function) {
  return {name, function};
}
template <class S, class M>
constexpr Unwritten<S, M> unwritten(M S::*member) {
  return {member};
}

template <class... Items, class Visit>
constexpr void for_each_item(const FieldList<Items...> &list, Visit &&visit) {
  std::apply([&](const auto &...item) { (visit(item), ...); }, list.items);
}

template <class T>
concept Described = requires { fields_of(static_cast<const T *>(nullptr)); };

// Number of members that a description names, to compare with the number the struct has.
template <class Item>
constexpr std::size_t members_of(const Item &) {
  return 1;
}
template <class Function>
constexpr std::size_t members_of(const Computed<Function> &) {
  return 0;
}
template <class... Items>
constexpr std::size_t members_of(const FieldList<Items...> &list) {
  std::size_t count = 0;
  for_each_item(list, [&](const auto &item) { count += members_of(item); });
  return count;
}
template <class List>
constexpr std::size_t members_of(const Group<List> &item) {
  return members_of(item.list);
}

struct AnyMember {
  template <class M>
  operator M() const;  // NOLINT(google-explicit-constructor): never called
};
/// Number of members of an aggregate: the largest number of initialisers it accepts.
template <class T, class... Given>
constexpr std::size_t aggregate_members() {
  static_assert(std::is_aggregate_v<T>);
  if constexpr (requires { T{Given{}..., AnyMember{}}; })
    return aggregate_members<T, Given..., AnyMember>();
  else
    return sizeof...(Given);
}

/// The description of T, checked to cover all members.
template <Described T>
constexpr auto described() {
  constexpr auto list = fields_of(static_cast<const T *>(nullptr));
  static_assert(members_of(list) == aggregate_members<T>(),
                "fields_of() of this struct does not describe every member");
  return list;
}

template <class T, class Item>
bool item_equal(const T &, const T &, const Item &) {
  return true;
}
template <class T, class M, class View>
bool item_equal(const T &a, const T &b, const Field<T, M, View> &item) {
  return a.*item.member == b.*item.member;
}
template <class T, class M>
bool item_equal(const T &a, const T &b, const Unwritten<T, M> &item) {
  return a.*item.member == b.*item.member;
}
template <class T, class M, class List>
bool item_equal(const T &a, const T &b, const Inlined<T, M, List> &item) {
  return a.*item.member == b.*item.member;
}
template <class T, class... Items>
bool item_equal(const T &a, const T &b, const FieldList<Items...> &list) {
  bool equal = true;
  for_each_item(list, [&](const auto &item) { equal = equal && item_equal(a, b, item); });
  return equal;
}
template <class T, class List>
bool item_equal(const T &a, const T &b, const Group<List> &item) {
  return item_equal(a, b, item.list);
}

template <Described T>
bool operator==(const T &a, const T &b) {
  return item_equal(a, b, described<T>());
}

}  // namespace cupilot
