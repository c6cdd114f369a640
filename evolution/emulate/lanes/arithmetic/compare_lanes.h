// SPDX-License-Identifier: Apache-2.0
//
// Makes handlers of setp and set from a comparison of lane values: one mask of results, combined with
// another predicate.

#pragma once

#include "evolution/emulate/lanes/arithmetic/compare.h"
#include "evolution/emulate/lanes/arithmetic/lane.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

inline program::Mask combine(program::Mask result, program::Mask other, std::uint64_t how) {
  switch (how & kCompareBool) {
    case 1:
      return result & other;
    case 2:
      return result | other;
    case 3:
      return result ^ other;
    default:
      return result;
  }
}
inline program::Mask third_operand(machine::Warp &warp, const program::Step &step, int at) {
  if ((step.data & kCompareBool) == 0) return 0;
  return predicate_at(warp, operand(step, at)) ^ (step.data & kCompareNegated ? kAll : 0);
}

__attribute__((noinline)) void set_predicates(machine::Warp &warp, const program::Step &step,
                                              program::Mask result, program::Mask mask) {
  const bool pair = (step.data & kComparePair) != 0;
  const program::Mask c = third_operand(warp, step, pair ? 4 : 3);
  if (operand(step, 0) != program::kNowhere)
    merge_predicate(warp, operand(step, 0), combine(result, c, step.data), mask);
  if (pair && operand(step, 1) != program::kNowhere)
    merge_predicate(warp, operand(step, 1), combine(~result, c, step.data), mask);
}

template <class R>
__attribute__((noinline)) void set_words(machine::Warp &warp, const program::Step &step, program::Mask result,
                                         program::Mask mask) {
  result = combine(result, third_operand(warp, step, 3), step.data);
  const R yes = R(step.data >> kCompareTrueShift);
  for_lanes<R>(warp, step.at[0], mask,
               [=](int i) { return R(result & kBit<std::uint32_t>.of[i] ? yes : R(0)); });
}

template <auto F>
struct Comparison;
template <class A, bool (*F)(A, A)>
struct Comparison<F> {
  static constexpr char predicate_uses[] = {'P', code_of<A>(), code_of<A>(), 0};
  static constexpr char word_uses[] = {'W', code_of<A>(), code_of<A>(), 0};
  static constexpr char half_uses[] = {'H', code_of<A>(), code_of<A>(), 0};

  static inline program::Mask compare(machine::Warp &warp, const program::Step &step, int first) {
    const A *a = lanes_at<A>(warp, step.at[first]), *b = lanes_at<A>(warp, step.at[first + 1]);
    program::Mask r = 0;
    for (int i = 0; i < program::kLanes; ++i) r |= F(a[i], b[i]) ? kBit<std::uint32_t>.of[i] : 0;
    return r;
  }
  static void to_predicate(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    const program::Mask result = compare(warp, step, step.data & kComparePair ? 2 : 1);
    if (step.data == 0)
      merge_predicate(warp, step.at[0], result, mask);
    else
      set_predicates(warp, step, result, mask);
  }
  static void to_word(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    set_words<std::uint32_t>(warp, step, compare(warp, step, 1), mask);
  }
  static void to_half(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    set_words<std::uint16_t>(warp, step, compare(warp, step, 1), mask);
  }
};

// setp.<cmp>.<type>; set.<cmp>.<word type>.<type> is looked up as "set.<cmp>.<type>".
#define CUPILOT_COMPARE(name, ...)                                                                  \
  {"setp." name, Comparison<__VA_ARGS__>::to_predicate, Comparison<__VA_ARGS__>::predicate_uses}, { \
    "set." name, Comparison<__VA_ARGS__>::to_word, Comparison<__VA_ARGS__>::word_uses               \
  }

}  // namespace
}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
