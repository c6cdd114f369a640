// SPDX-License-Identifier: Apache-2.0
//
// For the tests of described structs (annotate/support/fields.h): a value in which every member that is
// described has a value of its own that is not the default, in nested structs and containers too.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "annotate/spec/enum_names.h"
#include "annotate/support/fields.h"

namespace cupilot {

class Filler {
public:
  template <class T, class View = Whole>
  void fill(T &value, const View &view = {}) {
    if constexpr (std::is_same_v<T, bool>)
      value = !value;
    else if constexpr (std::is_floating_point_v<T>)
      value = ++number_ + 0.5;
    else if constexpr (std::is_arithmetic_v<T>)
      value = static_cast<T>(++number_);
    else if constexpr (std::is_enum_v<T>)
      value = enum_names<T>().back().first == value ? enum_names<T>().front().first
                                                    : enum_names<T>().back().first;
    else if constexpr (requires { container(value, view); })
      container(value, view);
    else if constexpr (!std::is_same_v<View, Whole>)
      members(value, view);
    else
      members(value, described<T>());
  }

private:
  template <class View>
  void container(std::string &text, const View &) {
    text = "text " + std::to_string(++number_);
  }
  template <class T, std::size_t N, class View>
  void container(std::array<T, N> &array, const View &view) {
    for (T &item : array) fill(item, view);
  }
  template <class First, class Second, class View>
  void container(std::pair<First, Second> &pair, const View &view) {
    fill(pair.first, view);
    fill(pair.second, view);
  }
  template <class T, class View>
  void container(std::vector<T> &list, const View &view) {
    // Structs that contain themselves end somewhere.
    constexpr int kDeepest = 4;
    if (depth_ == kDeepest) return;
    ++depth_;
    for (int i = 0; i < 2; ++i) fill(list.emplace_back(), view);
    --depth_;
  }
  template <class T, class View>
  void container(std::optional<T> &optional, const View &view) {
    fill(optional.emplace(), view);
  }
  template <class T, class View>
  void container(std::set<T> &set, const View &view) {
    std::vector<T> items;
    container(items, view);
    set = {items.begin(), items.end()};
  }
  template <class T, class View>
  void container(std::map<std::string, T> &map, const View &view) {
    for (int i = 0; i < 2; ++i) fill(map["key " + std::to_string(++number_)], view);
  }
  template <class View>
  void container(std::variant<std::int64_t, double> &variant, const View &view) {
    ++number_;
    number_ % 2 == 0 ? fill(variant.emplace<std::int64_t>(), view) : fill(variant.emplace<double>(), view);
  }

  template <class T, class... Items>
  void members(T &value, const FieldList<Items...> &list) {
    for_each_item(list, [&](const auto &item) { member(value, item); });
  }
  template <class T, class S, class M, class View>
  void member(T &value, const Field<S, M, View> &item) {
    fill(value.*item.member, item.view);
  }
  template <class T, class List>
  void member(T &value, const Group<List> &item) {
    members(value, item.list);
  }
  template <class T, class S, class M, class List>
  void member(T &value, const Inlined<S, M, List> &item) {
    members(value.*item.member, item.list);
  }
  template <class T, class... Items>
  void member(T &value, const FieldList<Items...> &list) {
    members(value, list);
  }
  template <class T, class Function>
  void member(T &, const Computed<Function> &) {}
  template <class T, class S, class M>
  void member(T &, const Unwritten<S, M> &) {}

  int number_ = 0, depth_ = 0;
};

template <class T, class View = Whole>
T filled(const View &view = {}) {
  T value{};
  Filler().fill(value, view);
  return value;
}

}  // namespace cupilot
