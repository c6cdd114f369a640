// SPDX-License-Identifier: Apache-2.0
//
// Declarations that nvcc has and Clang lacks. They are put in front of every parsed file, but never in front
// of a slice, so that more real files parse without an error. At worst, a missing declaration hides a launch.

#pragma once

#include <string_view>

namespace cupilot::extract {

inline constexpr std::string_view kShimName = "cupilot_clang_shim.h";

inline const char *clang_shim() {
  return R"(
#include <cmath>
#include <ctime>
using std::isfinite;
using std::isinf;
using std::isnan;
#define CUPILOT_SAME(T)                                                         \
  static inline T min(T a, T b) { return a < b ? a : b; }                       \
  static inline T max(T a, T b) { return a < b ? b : a; }
CUPILOT_SAME(int)
CUPILOT_SAME(unsigned)
CUPILOT_SAME(long)
CUPILOT_SAME(unsigned long)
CUPILOT_SAME(long long)
CUPILOT_SAME(unsigned long long)
CUPILOT_SAME(float)
CUPILOT_SAME(double)
#undef CUPILOT_SAME
#define CUPILOT_MIXED(A, B, R)                                                  \
  static inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }           \
  static inline R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
CUPILOT_MIXED(int, unsigned, unsigned)
CUPILOT_MIXED(unsigned, int, unsigned)
CUPILOT_MIXED(long, unsigned long, unsigned long)
CUPILOT_MIXED(unsigned long, long, unsigned long)
CUPILOT_MIXED(long long, unsigned long long, unsigned long long)
CUPILOT_MIXED(unsigned long long, long long, unsigned long long)
CUPILOT_MIXED(float, double, double)
CUPILOT_MIXED(double, float, double)
#undef CUPILOT_MIXED
template <class T> __device__ void __stcs(T *, T);
template <class T> __device__ void __stcg(T *, T);
template <class T> __device__ void __stwt(T *, T);
template <class T> __device__ void __stwb(T *, T);
template <class T> __device__ T __ldca(const T *);
template <class T> __device__ T __ldcv(const T *);
template <class T> __device__ T __ldlu(const T *);
)";
}

}  // namespace cupilot::extract
