// SPDX-License-Identifier: Apache-2.0
// Constants that are initialised in parentheses, and a parameter that stays where the launch puts it.
#include <cuda_runtime.h>

constexpr unsigned kRows(16), kUnused(3);
constexpr unsigned kHalf((kRows) / (2));
constexpr unsigned kAlone(4);
struct Pair {
  int first, second;
};
__constant__ const float kScale(2.f);

template <class T>
struct Sizes {
  T n;
};

#pragma cupilot optimize
template <class T>
__global__ void counted(T *x, const __grid_constant__ Sizes<T> sizes) {
  if (threadIdx.x < sizes.n) x[threadIdx.x] = kHalf;
}

void run(int *x) { counted<int><<<1, 32>>>(x, Sizes<int>{4}); }

#pragma cupilot optimize
__global__ void scaled(float *x) {
  if (threadIdx.x < kRows) x[threadIdx.x] *= kScale;
}
