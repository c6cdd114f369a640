// SPDX-License-Identifier: Apache-2.0
//
// f32 and f64 arithmetic that rounds toward zero, down or up. The processor's own rounding mode is switched
// for the 32 lanes; operands come from memory after the switch and results go there before it is undone, so
// the compiler can move no operation out.

#include "evolution/emulate/lanes/arithmetic/real.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cupilot::emulate::lanes::CUPILOT_ISA {
namespace {

enum class Round { zero, down, up };

class RoundingMode {
public:
#if defined(__x86_64__)
  explicit RoundingMode(Round mode) : before_(_mm_getcsr()) {
    constexpr unsigned kModes[] = {0x6000, 0x2000, 0x4000};
    _mm_setcsr((before_ & ~0x6000U) | kModes[int(mode)]);
    asm volatile("" ::: "memory");
  }
  ~RoundingMode() {
    asm volatile("" ::: "memory");
    _mm_setcsr(before_);
  }

private:
  unsigned before_;
#else
  explicit RoundingMode(Round mode) : before_(__builtin_aarch64_get_fpcr()) {
    constexpr unsigned kModes[] = {3U << 22, 2U << 22, 1U << 22};
    __builtin_aarch64_set_fpcr((before_ & ~(3U << 22)) | kModes[int(mode)]);
    asm volatile("" ::: "memory");
  }
  ~RoundingMode() {
    asm volatile("" ::: "memory");
    __builtin_aarch64_set_fpcr(before_);
  }

private:
  unsigned before_;
#endif
};

/// Out of line and opaque, so that nothing of it is computed at compile time or outside the mode. Wide enough
/// a loop, the calls do not count.
template <class T>
struct Operation {
  static T add(T a, T b, T) { return a + b; }
  static T sub(T a, T b, T) { return a - b; }
  static T mul(T a, T b, T) { return a * b; }
  static T div(T a, T b, T) { return a / b; }
  static T fma(T a, T b, T c) {
    if constexpr (sizeof(T) == 4)
      return __builtin_fmaf(a, b, c);
    else
      return __builtin_fma(a, b, c);
  }
  static T rcp(T a, T, T) { return T(1) / a; }
  static T sqrt(T a, T, T) {
    if constexpr (sizeof(T) == 4)
      return __builtin_sqrtf(a);
    else
      return __builtin_sqrt(a);
  }
};

/// Opaque to its caller, so that nothing of it is computed outside the mode.
template <class T, T (*F)(T, T, T)>
__attribute__((noipa)) void apply(T *to, const T *a, const T *b, const T *c, Round mode) {
  const RoundingMode switched(mode);
  for (int i = 0; i < program::kLanes; ++i) to[i] = F(a[i], b[i], c[i]);
}

template <class T, T (*F)(T, T, T), int Operands, Round Mode, bool Flush, bool Saturate>
struct Rounded {
  static constexpr char uses[] = {written(code_of<T>()), code_of<T>(), Operands > 1 ? code_of<T>() : '\0',
                                  Operands > 2 ? code_of<T>() : '\0', 0};
  static void run(machine::Warp &warp, const program::Step &step, program::Mask mask) {
    alignas(64) T in[3][program::kLanes], r[program::kLanes];
    for (int n = 0; n < 3; ++n) {
      const T *from = lanes_at<T>(warp, step.at[n < Operands ? n + 1 : 1]);
      for (int i = 0; i < program::kLanes; ++i) in[n][i] = flush_if<Flush>(from[i]);
    }
    apply<T, F>(r, in[0], in[1], in[2], Mode);
    if constexpr (Flush) flush_tiny(r, in);
    for (int i = 0; i < program::kLanes; ++i) r[i] = finished<Flush, Saturate>(r[i]);
    store(warp, step.at[0], r, mask);
  }
  /// The operation once more, 2^24 higher. Sums of that size are exact, roots have none.
  static void flush_tiny(T *r, T (&in)[3][program::kLanes]) {
    constexpr bool kProduct = F == Operation<T>::mul || F == Operation<T>::div || F == Operation<T>::fma;
    constexpr bool kReciprocal = F == Operation<T>::rcp;
    if constexpr (kProduct || kReciprocal) {
      alignas(64) T raised[program::kLanes];
      for (int i = 0; i < program::kLanes; ++i) {
        in[0][i] *= kReciprocal ? 1 / kRaise : kRaise;
        in[2][i] *= kRaise;
      }
      apply<T, F>(raised, in[0], in[1], in[2], Mode);
      for (int i = 0; i < program::kLanes; ++i) r[i] = flush_raised(r[i], raised[i]);
    }
  }
};

#define ENTRY(name, ...) {name, Rounded<__VA_ARGS__>::run, Rounded<__VA_ARGS__>::uses}
#define MODES(ENTRIES, op, n) ENTRIES(op, n, rz, zero), ENTRIES(op, n, rm, down), ENTRIES(op, n, rp, up)
#define PLAIN(op, n, mode, round)                                                                 \
  ENTRY(#op "." #mode ".f32", float, Operation<float>::op, n, Round::round, false, false),        \
      ENTRY(#op "." #mode ".ftz.f32", float, Operation<float>::op, n, Round::round, true, false), \
      ENTRY(#op "." #mode ".f64", double, Operation<double>::op, n, Round::round, false, false)
#define SATURATING(op, n, mode, round)                                                            \
  PLAIN(op, n, mode, round),                                                                      \
      ENTRY(#op "." #mode ".sat.f32", float, Operation<float>::op, n, Round::round, false, true), \
      ENTRY(#op "." #mode ".ftz.sat.f32", float, Operation<float>::op, n, Round::round, true, true)

constexpr LaneEntry kEntries[] = {
    MODES(SATURATING, add, 2), MODES(SATURATING, sub, 2), MODES(SATURATING, mul, 2),
    MODES(SATURATING, fma, 3), MODES(PLAIN, div, 2),      MODES(PLAIN, rcp, 1),
    MODES(PLAIN, sqrt, 1),
};

}  // namespace

LaneTable rounded_table() {
  return {kEntries, sizeof(kEntries) / sizeof(kEntries[0])};
}

}  // namespace cupilot::emulate::lanes::CUPILOT_ISA
