// SPDX-License-Identifier: Apache-2.0
//
// Turns a function of one lane's values into a handler for 32 lanes. With all lanes active the loop writes
// straight to the destination and the compiler vectorises it; otherwise results are merged by mask.
// Everything has internal linkage: this header is compiled for several vector extensions, and the linker
// must not mix the copies.

#pragma once

#include <cstddef>
#include <cstdint>

#include "evolution/emulate/lanes/table.h"
#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::lanes::CUPILOT_ISA {

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
namespace {

constexpr program::Mask kAll = 0xffffffff;

/// One bit per lane, as a table, because not every vector extension has variable shifts.
template <class U>
struct Bits {
  U of[program::kLanes];
};
template <class U>
constexpr Bits<U> make_bits() {
  Bits<U> b{};
  for (int i = 0; i < program::kLanes; ++i) b.of[i] = static_cast<U>(U{1} << (i % (8 * sizeof(U))));
  return b;
}
template <class U>
alignas(64) constexpr Bits<U> kBit = make_bits<U>();

template <int Bytes>
struct Storage;
template <>
struct Storage<1> {
  using type = std::uint8_t;
};
template <>
struct Storage<2> {
  using type = std::uint16_t;
};
template <>
struct Storage<4> {
  using type = std::uint32_t;
};
template <>
struct Storage<8> {
  using type = std::uint64_t;
};

inline program::WarpFrame &frame_of(machine::Warp &warp) {
  return reinterpret_cast<program::WarpFrame &>(warp);
}

template <class T>
inline T *lanes_at(machine::Warp &warp, program::Offset offset) {
  return reinterpret_cast<T *>(__builtin_assume_aligned(frame_of(warp).frame + offset, 64));
}
inline program::Mask &predicate_at(machine::Warp &warp, program::Offset offset) {
  return *reinterpret_cast<program::Mask *>(frame_of(warp).frame + offset);
}
inline void merge_predicate(machine::Warp &warp, program::Offset offset, program::Mask result,
                            program::Mask mask) {
  program::Mask &p = predicate_at(warp, offset);
  p = (p & ~mask) | (result & mask);
}
inline program::Offset operand(const program::Step &step, int i) {
  return (step.operands > 6 ? step.more : step.at)[i];
}

/// d[i] = r[i] where the mask has a bit.
template <class U>
__attribute__((noinline)) void merge_words(U *__restrict__ d, const U *__restrict__ r, program::Mask mask) {
  if constexpr (sizeof(U) >= 4) {
    for (int i = 0; i < program::kLanes; ++i) d[i] = (mask & kBit<std::uint32_t>.of[i]) ? r[i] : d[i];
  } else {
    constexpr int kWide = 8 * sizeof(U);
    for (int part = 0; part < program::kLanes; part += kWide) {
      const U some = static_cast<U>(mask >> part);
      for (int i = 0; i < kWide; ++i) d[part + i] = (some & kBit<U>.of[i]) ? r[part + i] : d[part + i];
    }
  }
}
template <class T>
inline void merge(T *d, const T *r, program::Mask mask) {
  using U = typename Storage<sizeof(T)>::type;
  merge_words(reinterpret_cast<U *>(d), reinterpret_cast<const U *>(r), mask);
}
/// Copies a complete result to its register; does nothing for `_`.
template <class T>
inline void store(machine::Warp &warp, program::Offset offset, const T *r, program::Mask mask) {
  if (offset == program::kNowhere) return;
  T *d = lanes_at<T>(warp, offset);
  if (mask == kAll)
    __builtin_memcpy(d, r, sizeof(T) * program::kLanes);
  else
    merge(d, r, mask);
}

/// Reads a lane value of type T: registers are arrays, predicates are masks.
template <class T>
struct In {
  const T *from;
  In(machine::Warp &warp, program::Offset offset) : from(lanes_at<T>(warp, offset)) {}
  T at(int i) const { return from[i]; }
};
template <>
struct In<bool> {
  program::Mask from;
  In(machine::Warp &warp, program::Offset offset) : from(predicate_at(warp, offset)) {}
  bool at(int i) const { return (from & kBit<std::uint32_t>.of[i]) != 0; }
};

template <class T>
constexpr char code_of() {
  if constexpr (__is_same(T, bool))
    return 'p';
  else if constexpr (__is_same(T, float))
    return 'f';
  else if constexpr (__is_same(T, double))
    return 'g';
  else
    return sizeof(T) == 1 ? 'b' : sizeof(T) == 2 ? 'h' : sizeof(T) == 4 ? 'w' : 'd';
}
constexpr char written(char code) {
  return static_cast<char>(code == 'f' ? 'W' : code == 'g' ? 'D' : code - 'a' + 'A');
}

/// d[i] = each(i) for the lanes of the mask.
template <class R, class Each>
__attribute__((always_inline)) inline void for_lanes(machine::Warp &warp, program::Offset offset,
                                                     program::Mask mask, Each each) {
  if constexpr (__is_same(R, bool)) {
    program::Mask r = 0;
    for (int i = 0; i < program::kLanes; ++i) r |= each(i) ? kBit<std::uint32_t>.of[i] : 0;
    merge_predicate(warp, offset, r, mask);
  } else if (mask == kAll) {
    R *d = lanes_at<R>(warp, offset);
    // A destination equals a source or does not overlap it, and each lane reads before it writes.
#pragma GCC ivdep
    for (int i = 0; i < program::kLanes; ++i) d[i] = each(i);
  } else {
    alignas(64) R r[program::kLanes];
    for (int i = 0; i < program::kLanes; ++i) r[i] = each(i);
    merge(lanes_at<R>(warp, offset), r, mask);
  }
}

template <auto F>
struct Lanewise;

template <class R, class A, R (*F)(A)>
struct Lanewise<F> {
  static constexpr char uses[] = {written(code_of<R>()), code_of<A>(), 0};
  static void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    const In<A> a(warp, step.at[1]);
    for_lanes<R>(warp, step.at[0], mask, [=](int i) { return F(a.at(i)); });
  }
};
template <class R, class A, class B, R (*F)(A, B)>
struct Lanewise<F> {
  static constexpr char uses[] = {written(code_of<R>()), code_of<A>(), code_of<B>(), 0};
  static void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    const In<A> a(warp, step.at[1]);
    const In<B> b(warp, step.at[2]);
    for_lanes<R>(warp, step.at[0], mask, [=](int i) { return F(a.at(i), b.at(i)); });
  }
};
template <class R, class A, class B, class C, R (*F)(A, B, C)>
struct Lanewise<F> {
  static constexpr char uses[] = {written(code_of<R>()), code_of<A>(), code_of<B>(), code_of<C>(), 0};
  static void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    const In<A> a(warp, step.at[1]);
    const In<B> b(warp, step.at[2]);
    const In<C> c(warp, step.at[3]);
    for_lanes<R>(warp, step.at[0], mask, [=](int i) { return F(a.at(i), b.at(i), c.at(i)); });
  }
};
template <class R, class A, class B, class C, class D, R (*F)(A, B, C, D)>
struct Lanewise<F> {
  static constexpr char uses[] = {written(code_of<R>()), code_of<A>(), code_of<B>(),
                                  code_of<C>(),          code_of<D>(), 0};
  static void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    const In<A> a(warp, step.at[1]);
    const In<B> b(warp, step.at[2]);
    const In<C> c(warp, step.at[3]);
    const In<D> e(warp, step.at[4]);
    for_lanes<R>(warp, step.at[0], mask, [=](int i) { return F(a.at(i), b.at(i), c.at(i), e.at(i)); });
  }
};

/// Table entries: the function instantiated for a type.
#define CUPILOT_LANE(name, ...) {name, Lanewise<__VA_ARGS__>::run, Lanewise<__VA_ARGS__>::uses}

template <class T>
struct Unsigned {
  using type = typename Storage<sizeof(T)>::type;
};

template <class To, class From>
inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

}  // namespace
}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
