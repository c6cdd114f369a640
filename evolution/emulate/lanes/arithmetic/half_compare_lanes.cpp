// SPDX-License-Identifier: Apache-2.0
//
// setp and set on f16 and bf16: values are compared as integers with the same order. For packed values, setp
// writes p for the low and q for the high value.

#include "evolution/emulate/lanes/arithmetic/compare_lanes.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

template <bool Brain>
inline bool is_nan(u16 a) {
  return (a & 0x7fff) > (Brain ? 0x7f80 : 0x7c00);
}
template <bool Flush>
inline i16 key(u16 a) {
  const i16 size = Flush && (a & 0x7c00) == 0 ? i16(0) : i16(a & 0x7fff);
  return a & 0x8000 ? i16(-size) : size;
}

enum class Test { eq, ne, lt, le, gt, ge, num };
template <Test T, bool OrNan, bool Brain, bool Flush>
bool holds(u16 x, u16 y) {
  const i16 a = key<Flush>(x), b = key<Flush>(y);
  const bool nan = is_nan<Brain>(x) || is_nan<Brain>(y);
  bool r = true;
  switch (T) {
    case Test::eq:
      r = a == b;
      break;
    case Test::ne:
      r = a != b;
      break;
    case Test::lt:
      r = a < b;
      break;
    case Test::le:
      r = a <= b;
      break;
    case Test::gt:
      r = a > b;
      break;
    case Test::ge:
      r = a >= b;
      break;
    case Test::num:
      break;
  }
  return nan ? OrNan : r;
}
template <bool Brain, bool Flush>
bool neither(u16 x, u16 y) {
  return is_nan<Brain>(x) || is_nan<Brain>(y);
}

template <bool (*F)(u16, u16)>
struct Packed {
  static inline void compare(const u32 *a, const u32 *b, program::Mask &low, program::Mask &high) {
    low = high = 0;
    for (int i = 0; i < program::kLanes; ++i) {
      low |= F(u16(a[i]), u16(b[i])) ? kBit<u32>.of[i] : 0;
      high |= F(u16(a[i] >> 16), u16(b[i] >> 16)) ? kBit<u32>.of[i] : 0;
    }
  }
  static void to_predicates(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    const int first = step.data & kComparePair ? 2 : 1;
    program::Mask low, high;
    compare(lanes_at<u32>(warp, step.at[first]), lanes_at<u32>(warp, step.at[first + 1]), low, high);
    const program::Mask c = third_operand(warp, step, first + 2);
    if (step.at[0] != program::kNowhere) merge_predicate(warp, step.at[0], combine(low, c, step.data), mask);
    if (first == 2 && step.at[1] != program::kNowhere)
      merge_predicate(warp, step.at[1], combine(high, c, step.data), mask);
  }
  static void to_words(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    program::Mask low, high;
    compare(lanes_at<u32>(warp, step.at[1]), lanes_at<u32>(warp, step.at[2]), low, high);
    const program::Mask c = third_operand(warp, step, 3);
    low = combine(low, c, step.data);
    high = combine(high, c, step.data);
    const u32 yes = u32(step.data >> kCompareTrueShift);
    for_lanes<u32>(warp, step.at[0], mask, [=](int i) {
      const u32 bit = kBit<u32>.of[i];
      return (low & bit ? yes : 0) | (high & bit ? yes << 16 : 0);
    });
  }
};

#define ONE(name, type, ...)                                                                          \
  CUPILOT_COMPARE(name "." type, __VA_ARGS__),                                                        \
      {"set16." name "." type, Comparison<__VA_ARGS__>::to_half, Comparison<__VA_ARGS__>::half_uses}, \
      {"setp." name "." type "x2", Packed<__VA_ARGS__>::to_predicates, "Pww"},                        \
      {"set2." name "." type "x2", Packed<__VA_ARGS__>::to_words, "Www"}
#define TYPES(name, test, nan)                                      \
  ONE(name, "f16", holds<Test::test, nan, false, false>),           \
      ONE(name ".ftz", "f16", holds<Test::test, nan, false, true>), \
      ONE(name, "bf16", holds<Test::test, nan, true, false>)

constexpr LaneEntry kEntries[] = {
    TYPES("eq", eq, false),
    TYPES("ne", ne, false),
    TYPES("lt", lt, false),
    TYPES("le", le, false),
    TYPES("gt", gt, false),
    TYPES("ge", ge, false),
    TYPES("equ", eq, true),
    TYPES("neu", ne, true),
    TYPES("ltu", lt, true),
    TYPES("leu", le, true),
    TYPES("gtu", gt, true),
    TYPES("geu", ge, true),
    TYPES("num", num, false),
    ONE("nan", "f16", neither<false, false>),
    ONE("nan.ftz", "f16", neither<false, true>),
    ONE("nan", "bf16", neither<true, false>),
};

}  // namespace

LaneTable half_compare_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
