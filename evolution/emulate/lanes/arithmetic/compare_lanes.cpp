// SPDX-License-Identifier: Apache-2.0
//
// setp, set and testp on integers, f32 and f64. "u" comparisons are true when an operand is NaN.

#include "evolution/emulate/lanes/arithmetic/compare_lanes.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

/// Subnormal operands count as zero (.ftz).
template <bool Flush, class T>
inline T operand_value(T a) {
  if constexpr (Flush) {
    const u32 bits = bits_as<u32>(a);
    return bits_as<float>((bits & 0x7f800000) == 0 ? 0 : bits);
  } else {
    return a;
  }
}

#define COMPARE(name, test)                                           \
  template <class T, bool Flush = false>                              \
  bool name(T x, T y) {                                               \
    const T a = operand_value<Flush>(x), b = operand_value<Flush>(y); \
    return test;                                                      \
  }
COMPARE(equal, a == b)
COMPARE(differ, a != b && a == a && b == b)
COMPARE(less, a < b)
COMPARE(less_equal, a <= b)
COMPARE(greater, a > b)
COMPARE(greater_equal, a >= b)
COMPARE(equal_u, !(a < b || a > b))
COMPARE(differ_u, !(a == b))
COMPARE(less_u, !(a >= b))
COMPARE(less_equal_u, !(a > b))
COMPARE(greater_u, !(a <= b))
COMPARE(greater_equal_u, !(a < b))
COMPARE(numbers, a == a && b == b)
COMPARE(any_nan, a != a || b != b)

enum class Class { finite, infinite, number, not_a_number, normal, subnormal };
/// Zeros count as normal. Decided on the bits: the compiler may not assume anything of NaN or infinity.
template <class T, Class C>
bool is_class(T a) {
  using U = typename Unsigned<T>::type;
  constexpr int kMantissa = sizeof(T) == 4 ? 23 : 52;
  constexpr U kSign = U(1) << (8 * sizeof(T) - 1), kInfinity = ((kSign - 1) >> kMantissa) << kMantissa;
  const U magnitude = bits_as<U>(a) & ~kSign;
  switch (C) {
    case Class::finite:
      return magnitude < kInfinity;
    case Class::infinite:
      return magnitude == kInfinity;
    case Class::number:
      return magnitude <= kInfinity;
    case Class::not_a_number:
      return magnitude > kInfinity;
    case Class::normal:
      return magnitude < kInfinity && (magnitude >= U(1) << kMantissa || magnitude == 0);
    case Class::subnormal:
      return magnitude != 0 && magnitude < U(1) << kMantissa;
  }
}

#define INTEGER(cmp, F)                                                         \
  CUPILOT_COMPARE(cmp ".u16", F<u16>), CUPILOT_COMPARE(cmp ".u32", F<u32>),     \
      CUPILOT_COMPARE(cmp ".u64", F<u64>), CUPILOT_COMPARE(cmp ".s16", F<i16>), \
      CUPILOT_COMPARE(cmp ".s32", F<i32>), CUPILOT_COMPARE(cmp ".s64", F<i64>)
#define BITWISE(cmp, F)                                                     \
  CUPILOT_COMPARE(cmp ".b16", F<u16>), CUPILOT_COMPARE(cmp ".b32", F<u32>), \
      CUPILOT_COMPARE(cmp ".b64", F<u64>)
#define HIGHER(cmp, F)                                                      \
  CUPILOT_COMPARE(cmp ".u16", F<u16>), CUPILOT_COMPARE(cmp ".u32", F<u32>), \
      CUPILOT_COMPARE(cmp ".u64", F<u64>)
#define FLOAT(cmp, F)                                                                     \
  CUPILOT_COMPARE(cmp ".f32", F<float>), CUPILOT_COMPARE(cmp ".ftz.f32", F<float, true>), \
      CUPILOT_COMPARE(cmp ".f64", F<double>)
#define CLASS(name, C)                                    \
  CUPILOT_LANE("testp." name ".f32", is_class<float, C>), \
      CUPILOT_LANE("testp." name ".f64", is_class<double, C>)

constexpr LaneEntry kEntries[] = {
    INTEGER("eq", equal),
    INTEGER("ne", differ),
    INTEGER("lt", less),
    INTEGER("le", less_equal),
    INTEGER("gt", greater),
    INTEGER("ge", greater_equal),
    BITWISE("eq", equal),
    BITWISE("ne", differ),
    HIGHER("lo", less),
    HIGHER("ls", less_equal),
    HIGHER("hi", greater),
    HIGHER("hs", greater_equal),
    FLOAT("eq", equal),
    FLOAT("ne", differ),
    FLOAT("lt", less),
    FLOAT("le", less_equal),
    FLOAT("gt", greater),
    FLOAT("ge", greater_equal),
    FLOAT("equ", equal_u),
    FLOAT("neu", differ_u),
    FLOAT("ltu", less_u),
    FLOAT("leu", less_equal_u),
    FLOAT("gtu", greater_u),
    FLOAT("geu", greater_equal_u),
    FLOAT("num", numbers),
    FLOAT("nan", any_nan),
    CLASS("finite", Class::finite),
    CLASS("infinite", Class::infinite),
    CLASS("number", Class::number),
    CLASS("notanumber", Class::not_a_number),
    CLASS("normal", Class::normal),
    CLASS("subnormal", Class::subnormal),
};

}  // namespace

LaneTable compare_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
