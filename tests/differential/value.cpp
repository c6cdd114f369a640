// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/value.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "annotate/directive/literal.h"
#include "evolution/judge/data/element_type.h"

namespace cupilot::differential {
namespace {

std::uint64_t bits(const Value &value) {
  return static_cast<std::uint64_t>(value.integer);
}

std::optional<Value> compare(std::string_view op, const Value &left, const Value &right) {
  int order = 0;  // NaN: neither
  bool ordered = true;
  if (is_floating(left.type)) {
    ordered = !std::isnan(left.real) && !std::isnan(right.real);
    order = left.real < right.real ? -1 : left.real > right.real;
  } else if (left.type == Type::u64) {
    order = bits(left) < bits(right) ? -1 : bits(left) > bits(right);
  } else {
    order = left.integer < right.integer ? -1 : left.integer > right.integer;
  }
  const auto truth = [&](bool value) { return integer_value(Type::boolean, value); };
  if (op == "==") return truth(ordered && order == 0);
  if (op == "!=") return truth(!ordered || order != 0);
  if (op == "<") return truth(ordered && order < 0);
  if (op == "<=") return truth(ordered && order <= 0);
  if (op == ">") return truth(ordered && order > 0);
  if (op == ">=") return truth(ordered && order >= 0);
  return std::nullopt;
}

std::optional<Value> of_reals(std::string_view op, Type type, double left, double right) {
  if (op == "+") return real_value(type, left + right);
  if (op == "-") return real_value(type, left - right);
  if (op == "*") return real_value(type, left * right);
  if (op == "/") return real_value(type, left / right);
  return std::nullopt;
}

std::optional<Value> of_integers(std::string_view op, Type type, const Value &left, const Value &right) {
  const bool is_signed = type == Type::i32 || type == Type::i64;
  const std::uint64_t a = bits(left), b = bits(right);
  const auto result = [&](std::uint64_t value) {
    return integer_value(type, static_cast<std::int64_t>(value));
  };
  if (op == "+") return result(a + b);
  if (op == "-") return result(a - b);
  if (op == "*") return result(a * b);
  if (op == "&") return result(a & b);
  if (op == "|") return result(a | b);
  if (op == "^") return result(a ^ b);
  if (op != "/" && op != "%") return std::nullopt;
  if (b == 0 || (left.integer == INT64_MIN && right.integer == -1)) return std::nullopt;
  if (is_signed)
    return integer_value(type, op == "/" ? left.integer / right.integer : left.integer % right.integer);
  return result(op == "/" ? a / b : a % b);
}

}  // namespace

std::optional<Type> type_of(std::string_view spelling) {
  if (spelling.starts_with("const ")) spelling.remove_prefix(6);
  static constexpr std::array<std::pair<std::string_view, Type>, 26> kTypes{
      {{"bool", Type::boolean},  {"char", Type::i8},           {"signed char", Type::i8},
       {"int8_t", Type::i8},     {"unsigned char", Type::u8},  {"uint8_t", Type::u8},
       {"short", Type::i16},     {"int16_t", Type::i16},       {"unsigned short", Type::u16},
       {"uint16_t", Type::u16},  {"int", Type::i32},           {"int32_t", Type::i32},
       {"unsigned", Type::u32},  {"unsigned int", Type::u32},  {"uint32_t", Type::u32},
       {"long", Type::i64},      {"long long", Type::i64},     {"int64_t", Type::i64},
       {"ptrdiff_t", Type::i64}, {"unsigned long", Type::u64}, {"unsigned long long", Type::u64},
       {"uint64_t", Type::u64},  {"size_t", Type::u64},        {"std::size_t", Type::u64},
       {"float", Type::f32},     {"double", Type::f64}}};
  for (const auto &[name, type] : kTypes)
    if (name == spelling) return type;
  return std::nullopt;
}

std::size_t size_of(Type type) {
  return judge::data::traits_of(type).size;
}

double Value::as_real() const {
  if (is_floating(type)) return real;
  return type == Type::u64 ? static_cast<double>(bits(*this)) : static_cast<double>(integer);
}

Value integer_value(Type type, std::int64_t value) {
  switch (type) {
    case Type::boolean:
      return {type, value != 0, 0};
    case Type::i8:
      return {type, static_cast<std::int8_t>(value), 0};
    case Type::u8:
      return {type, static_cast<std::uint8_t>(value), 0};
    case Type::i16:
      return {type, static_cast<std::int16_t>(value), 0};
    case Type::u16:
      return {type, static_cast<std::uint16_t>(value), 0};
    case Type::i32:
      return {type, static_cast<std::int32_t>(value), 0};
    case Type::u32:
      return {type, static_cast<std::uint32_t>(value), 0};
    default:
      return {type, value, 0};
  }
}

Value real_value(Type type, double value) {
  return {type, 0, type == Type::f32 ? static_cast<float>(value) : value};
}

Value convert(const Value &value, Type type) {
  if (value.type == type) return value;
  if (is_floating(type)) return real_value(type, value.as_real());
  if (type == Type::boolean) return integer_value(type, value.truth());
  if (!is_floating(value.type)) return integer_value(type, value.integer);
  // A number that does not fit is undefined in C++; on the device it is the nearest that fits.
  if (std::isnan(value.real)) return integer_value(type, 0);
  if (type == Type::i32)
    return integer_value(type, std::llrint(std::clamp(std::trunc(value.real), -2147483648.0, 2147483647.0)));
  return integer_value(type, static_cast<std::int64_t>(std::clamp(value.real, -9.0e18, 9.0e18)));
}

Type common_type(Type left, Type right) {
  if (left == Type::f64 || right == Type::f64) return Type::f64;
  if (left == Type::f32 || right == Type::f32) return Type::f32;
  const auto promoted = [](Type type) { return size_of(type) < 4 ? Type::i32 : type; };
  const Type a = promoted(left), b = promoted(right);
  for (const Type type : {Type::u64, Type::i64, Type::u32})
    if (a == type || b == type) return type;
  return Type::i32;
}

std::optional<Value> binary(std::string_view op, const Value &left, const Value &right) {
  if (op == "<<" || op == ">>") {
    const Type type = common_type(left.type, Type::i32) == Type::i32 ? Type::i32 : left.type;
    const Value from = convert(left, type);
    if (is_floating(type) || right.integer < 0 || right.integer > 63) return std::nullopt;
    if (op == "<<") return integer_value(type, static_cast<std::int64_t>(bits(from) << right.integer));
    return integer_value(type, type == Type::u64 ? static_cast<std::int64_t>(bits(from) >> right.integer)
                                                 : from.integer >> right.integer);
  }
  const Type type = common_type(left.type, right.type);
  const Value a = convert(left, type), b = convert(right, type);
  if (const auto truth = compare(op, a, b)) return truth;
  return is_floating(type) ? of_reals(op, type, a.real, b.real) : of_integers(op, type, a, b);
}

std::optional<Value> unary(std::string_view op, const Value &operand) {
  if (op == "!") return integer_value(Type::boolean, !operand.truth());
  const Value value = convert(operand, common_type(operand.type, Type::i32));
  if (op == "+") return value;
  if (op == "-" && is_floating(value.type)) return real_value(value.type, -value.real);
  if (op == "-") return integer_value(value.type, static_cast<std::int64_t>(-bits(value)));
  if (op == "~" && !is_floating(value.type)) return integer_value(value.type, ~value.integer);
  return std::nullopt;
}

std::optional<Value> literal(std::string_view text) {
  if (text.starts_with('-')) {
    const auto value = literal(text.substr(1));
    return value ? unary("-", *value) : std::nullopt;
  }
  if (text == "true" || text == "false") return integer_value(Type::boolean, text == "true");
  if (text == "INFINITY") return real_value(Type::f32, INFINITY);
  if (text == "FLT_MAX") return real_value(Type::f32, FLT_MAX);
  if (text == "DBL_MAX") return real_value(Type::f64, DBL_MAX);
  if (text == "INT_MAX") return integer_value(Type::i32, INT_MAX);
  if (text == "INT_MIN") return integer_value(Type::i32, INT_MIN);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const bool real = !hexadecimal && text.find_first_of(".eE") != std::string_view::npos;
  if (real) {
    const bool single = text.ends_with('f') || text.ends_with('F');
    const std::string digits(text.substr(0, text.size() - (single ? 1 : 0)));
    char *end = nullptr;
    const double value = single ? std::strtof(digits.c_str(), &end) : std::strtod(digits.c_str(), &end);
    return *end == 0 && !digits.empty() ? std::optional(real_value(single ? Type::f32 : Type::f64, value))
                                        : std::nullopt;
  }
  const auto value = directive::literal_value(text);
  if (!value || !std::holds_alternative<std::int64_t>(*value)) return std::nullopt;
  const std::int64_t number = std::get<std::int64_t>(*value);
  std::string_view suffix = text;
  suffix.remove_prefix(std::min(suffix.size(), suffix.find_last_not_of("uUlL") + 1));
  const bool is_unsigned = suffix.find_first_of("uU") != std::string_view::npos;
  const bool is_long = suffix.find_first_of("lL") != std::string_view::npos || number > UINT_MAX ||
                       (number > INT_MAX && !is_unsigned && !hexadecimal);
  if (is_long) return integer_value(is_unsigned ? Type::u64 : Type::i64, number);
  return integer_value(is_unsigned || number > INT_MAX ? Type::u32 : Type::i32, number);
}

Value read(Type type, const std::byte *from) {
  if (type == Type::f32) {
    float value = 0;
    std::memcpy(&value, from, sizeof value);
    return real_value(type, value);
  }
  if (type == Type::f64) {
    double value = 0;
    std::memcpy(&value, from, sizeof value);
    return real_value(type, value);
  }
  std::int64_t value = 0;
  std::memcpy(&value, from, size_of(type));  // little endian
  return integer_value(type, value);
}

void write(const Value &value, Type type, std::byte *to) {
  const Value stored = convert(value, type);
  if (type == Type::f32) {
    const auto number = static_cast<float>(stored.real);
    std::memcpy(to, &number, sizeof number);
  } else if (type == Type::f64) {
    std::memcpy(to, &stored.real, sizeof stored.real);
  } else {
    std::memcpy(to, &stored.integer, size_of(type));
  }
}

}  // namespace cupilot::differential
