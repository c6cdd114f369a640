// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/data/element_type.h"

#include <algorithm>
#include <iterator>

namespace cupilot::judge::data {

namespace {

constexpr TypeTraits kTypes[] = {
    {spec::ElementType::i8, 1, 0, load<std::int8_t>},
    {spec::ElementType::u8, 1, 0, load<std::uint8_t>},
    {spec::ElementType::i16, 2, 0, load<std::int16_t>},
    {spec::ElementType::u16, 2, 0, load<std::uint16_t>},
    {spec::ElementType::i32, 4, 0, load<std::int32_t>},
    {spec::ElementType::u32, 4, 0, load<std::uint32_t>},
    {spec::ElementType::i64, 8, 0, load<std::int64_t>},
    {spec::ElementType::u64, 8, 0, load<std::uint64_t>},
    {spec::ElementType::boolean, 1, 0, load<std::uint8_t>},
    {spec::ElementType::f16, 2, kEpsF16, load<F16>},
    {spec::ElementType::bf16, 2, kEpsBf16, load<Bf16>},
    {spec::ElementType::f32, 4, kEpsF32, load<float>},
    {spec::ElementType::f64, 8, kEpsF64, load<double>},
    {spec::ElementType::opaque, 1, 0, load<std::uint8_t>},
};

}  // namespace

const TypeTraits &traits_of(spec::ElementType type) {
  return *std::find_if(std::begin(kTypes), std::end(kTypes),
                       [&](const TypeTraits &t) { return t.type == type; });
}

double smallest_normal(spec::ElementType type) {
  switch (type) {
    case spec::ElementType::f16:
      return 0x1p-14;
    case spec::ElementType::bf16:
    case spec::ElementType::f32:
      return 0x1p-126;
    case spec::ElementType::f64:
      return 0x1p-1022;
    default:
      return 0;
  }
}

std::size_t element_size(spec::ElementType type) {
  return type == spec::ElementType::opaque ? 0 : traits_of(type).size;
}

double type_eps(spec::ElementType type) {
  return traits_of(type).eps;
}

}  // namespace cupilot::judge::data
