// SPDX-License-Identifier: Apache-2.0
//
// Extended-precision integer arithmetic: PTX ISA 9.7.2. The carry flag is one bit per lane, stored outside of
// the frame.

#include "evolution/emulate/lanes/arithmetic/lane.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

/// What an instruction adds up: the sum's value and the carry (subtraction: the borrow) out of it.
template <class U>
struct Sum {
  U value;
  bool carry;
};
template <class U>
Sum<U> add(U a, U b, bool in) {
  const U once = a + b, twice = once + U(in);
  return {twice, once < a || twice < once};
}
template <class U>
Sum<U> sub(U a, U b, bool in) {
  const U once = a - b, twice = once - U(in);
  return {twice, a < b || once < U(in)};
}

template <class U, class Each>
inline void with_carry(machine::Warp &warp, const program::Step &step, program::Mask mask, bool sets,
                       Each each) {
  program::Mask &flag = frame_of(warp).carry;
  const program::Mask before = flag;
  program::Mask carry = 0;
  alignas(64) U r[program::kLanes];
  for (int i = 0; i < program::kLanes; ++i) {
    const Sum<U> sum = each(i, (before & kBit<u32>.of[i]) != 0);
    r[i] = sum.value;
    carry |= sum.carry ? kBit<u32>.of[i] : 0;
  }
  store(warp, step.at[0], r, mask);
  if (sets) flag = (before & ~mask) | (carry & mask);
}

template <class U, Sum<U> (*F)(U, U, bool), bool Takes, bool Sets>
struct Plain {
  static constexpr char uses[] = {written(code_of<U>()), code_of<U>(), code_of<U>(), 0};
  static void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    const U *a = lanes_at<U>(warp, step.at[1]), *b = lanes_at<U>(warp, step.at[2]);
    with_carry<U>(warp, step, mask, Sets, [=](int i, bool in) { return F(a[i], b[i], Takes && in); });
  }
};

template <class U>
struct Product;
template <>
struct Product<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct Product<u32> {
  using type = u64;
};
template <>
struct Product<std::int64_t> {
  using type = __int128;
};
template <>
struct Product<u64> {
  using type = unsigned __int128;
};

template <class T, bool High, bool Takes, bool Sets>
struct Multiply {
  using U = typename Unsigned<T>::type;
  static constexpr char uses[] = {written(code_of<U>()), code_of<U>(), code_of<U>(), code_of<U>(), 0};
  static void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    using P = typename Product<T>::type;
    const T *a = lanes_at<T>(warp, step.at[1]), *b = lanes_at<T>(warp, step.at[2]);
    const U *c = lanes_at<U>(warp, step.at[3]);
    with_carry<U>(warp, step, mask, Sets, [=](int i, bool in) {
      const P product = P(a[i]) * P(b[i]);
      return add<U>(U(High ? product >> (8 * sizeof(T)) : product), c[i], Takes && in);
    });
  }
};

#define ENTRY(name, ...) {name, __VA_ARGS__::run, __VA_ARGS__::uses}
#define PLAIN(type, U)                                                                                      \
  ENTRY("add.cc." type, Plain<U, add<U>, false, true>), ENTRY("addc." type, Plain<U, add<U>, true, false>), \
      ENTRY("addc.cc." type, Plain<U, add<U>, true, true>),                                                 \
      ENTRY("sub.cc." type, Plain<U, sub<U>, false, true>),                                                 \
      ENTRY("subc." type, Plain<U, sub<U>, true, false>),                                                   \
      ENTRY("subc.cc." type, Plain<U, sub<U>, true, true>)
#define MULTIPLY(part, high, type, T)                               \
  ENTRY("mad." part ".cc." type, Multiply<T, high, false, true>),   \
      ENTRY("madc." part "." type, Multiply<T, high, true, false>), \
      ENTRY("madc." part ".cc." type, Multiply<T, high, true, true>)

constexpr LaneEntry kEntries[] = {
    PLAIN("u32", u32),
    PLAIN("s32", u32),
    PLAIN("b32", u32),
    PLAIN("u64", u64),
    PLAIN("s64", u64),
    PLAIN("b64", u64),
    MULTIPLY("lo", false, "u32", u32),
    MULTIPLY("lo", false, "s32", std::int32_t),
    MULTIPLY("lo", false, "u64", u64),
    MULTIPLY("lo", false, "s64", std::int64_t),
    MULTIPLY("hi", true, "u32", u32),
    MULTIPLY("hi", true, "s32", std::int32_t),
    MULTIPLY("hi", true, "u64", u64),
    MULTIPLY("hi", true, "s64", std::int64_t),
};

}  // namespace

LaneTable carry_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
