// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/value_range.h"

#include <cmath>
#include <limits>

namespace cupilot::directive {
namespace {

struct Range {
  std::int64_t least, most;
};

template <class T>
constexpr Range range_of() {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

Range range_of(spec::ElementType type) {
  using enum spec::ElementType;
  switch (type) {
    case i8:
      return range_of<std::int8_t>();
    case u8:
      return range_of<std::uint8_t>();
    case i16:
      return range_of<std::int16_t>();
    case u16:
      return range_of<std::uint16_t>();
    case i32:
      return range_of<std::int32_t>();
    case u32:
      return range_of<std::uint32_t>();
    case u64:
      return {0, std::numeric_limits<std::int64_t>::max()};  // expressions are 64-bit signed
    case boolean:
      return {0, 1};
    default:
      return range_of<std::int64_t>();
  }
}

}  // namespace

std::optional<std::int64_t> as_whole(const Value &value) {
  if (const auto *integer = std::get_if<std::int64_t>(&value)) return *integer;
  const double number = std::get<double>(value);
  if (number != std::floor(number) || number < -0x1p63 || number >= 0x1p63) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::string misfit(const Value &value, const spec::Parameter &parameter) {
  if (spec::is_floating(parameter.element) || parameter.element == spec::ElementType::opaque) return "";
  const auto whole = as_whole(value);
  if (!whole) return "'" + parameter.name + "' is of type '" + parameter.type + "' and needs an integer";
  const Range range = range_of(parameter.element);
  if (*whole >= range.least && *whole <= range.most) return "";
  return std::to_string(*whole) + " does not fit '" + parameter.name + "' of type '" + parameter.type + "'";
}

}  // namespace cupilot::directive
