// SPDX-License-Identifier: Apache-2.0
//
// Forms from C++ functions: `form("integer", "add.s32", [](int a, int b) { ... })` takes the registers from
// the function's types. References use other means than the handlers: wide integers, the processor's rounding
// modes, long double.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/emulate/opcodes/form.h"

namespace cupilot::opcodes {

using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i128 = __int128;
using u128 = unsigned __int128;

template <class T>
constexpr char kind_of() {
  if constexpr (std::is_same_v<T, bool>) return 'p';
  return sizeof(T) <= 2 ? 'h' : sizeof(T) == 4 ? 'w' : 'd';
}
template <class T>
constexpr Slot slot_of() {
  if constexpr (std::is_same_v<T, bool>) return {'p', Values::truth};
  if constexpr (std::is_same_v<T, float>) return {'w', Values::f32};
  if constexpr (std::is_same_v<T, double>) return {'d', Values::f64};
  return {kind_of<T>(), Values::integer};
}
template <class T>
Tolerance tolerance_of() {
  if constexpr (std::is_same_v<T, float>) return {Tolerance::Format::f32};
  if constexpr (std::is_same_v<T, double>) return {Tolerance::Format::f64, true};
  return {};
}
template <class T>
T from_word(u64 word) {
  if constexpr (std::is_same_v<T, bool>) {
    return word != 0;
  } else {
    T value;
    std::memcpy(&value, &word, sizeof(T));
    return value;
  }
}
template <class T>
u64 to_word(T value) {
  u64 word = 0;
  if constexpr (std::is_same_v<T, bool>)
    word = value;
  else
    std::memcpy(&word, &value, sizeof(T));
  return word;
}

inline std::string operand_list(std::size_t operands) {
  std::string text = " %d0";
  for (std::size_t i = 0; i < operands; ++i) text += ", %a" + std::to_string(i);
  return text + ";";
}

namespace detail {
template <class F, class R, class... A, std::size_t... I>
Form make(std::string family, std::string name, F f, R (F::*)(A...) const, std::index_sequence<I...>) {
  Form form;
  form.family = std::move(family);
  form.text = name + operand_list(sizeof...(A));
  form.name = std::move(name);
  form.operands = {slot_of<A>()...};
  form.results = {slot_of<R>()};
  form.tolerances = {tolerance_of<R>()};
  form.lane = [f](const Row &operands, Row &results) {
    results[0] = to_word<R>(f(from_word<A>(operands[I])...));
  };
  return form;
}
template <class F, class R, class... A>
Form make(std::string family, std::string name, F f, R (F::*call)(A...) const) {
  return make(std::move(family), std::move(name), f, call, std::index_sequence_for<A...>());
}
}  // namespace detail

/// One result, operands in order; all from the function's types.
template <class F>
Form form(std::string family, std::string name, F f) {
  return detail::make(std::move(family), std::move(name), f, &F::operator());
}

inline Form with(Form form, std::initializer_list<Values> values) {
  std::size_t i = 0;
  for (const Values each : values) form.operands[i++].values = each;
  return form;
}
inline Form near(Form form, double ulps, double absolute = 0) {
  form.tolerances[0].ulps = ulps;
  form.tolerances[0].absolute = absolute;
  form.tolerances[0].any_nan = true;
  return form;
}
inline Form any_nan(Form form) {
  form.tolerances[0].any_nan = true;
  return form;
}
inline Form on(std::string architecture, Form form) {
  form.architecture = std::move(architecture);
  return form;
}

}  // namespace cupilot::opcodes
