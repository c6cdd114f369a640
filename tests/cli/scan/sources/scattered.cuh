// SPDX-License-Identifier: Apache-2.0
#ifndef SCATTERED_CUH
#define SCATTERED_CUH
#include <cuda_runtime.h>
#include <string>
#include <vector>

#ifndef WIDTH
#define WIDTH 2
#endif
__constant__ float weights[WIDTH];
inline std::string host_only(const std::vector<int> &v) { return std::to_string(v.size()); }
struct Pair {
  float a, b;
};
__device__ inline Pair operator+(Pair x, Pair y) { return {x.a + y.a, x.b + y.b}; }
#if defined(__CUDA_ARCH__)
__device__ inline float only_on_the_device(float x) { return __ldg(&x) * 2; }
#else
inline float only_on_the_host(float x) { return x; }
#endif
#endif
