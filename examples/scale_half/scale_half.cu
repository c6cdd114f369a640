// SPDX-License-Identifier: Apache-2.0
//
// An elementwise chain in half precision: scale, shift, clamp below at zero. One element a thread.

#include "scale_half.h"

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 27, a = 1.5f, b = 0.25f) in(x[n]) out(y[n])
#pragma cupilot workload(tail) set(n = 1000003, a = -0.75f, b = 2.0f) in(x[n]) out(y[n]) check
__global__ void scale_half_kernel(const __half *x, __half *y, float a, float b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    __half v = __hmul_rn(x[i], __float2half(a));
    v = __hadd_rn(v, __float2half(b));
    y[i] = __hmax(v, __float2half(0.0f));
  }
}

void scale_half(const __half *x, __half *y, float a, float b, int n, cudaStream_t stream) {
  scale_half_kernel<<<(n + 255) / 256, 256, 0, stream>>>(x, y, a, b, n);
}
