// SPDX-License-Identifier: Apache-2.0
// E13: Clang ends the comment at a carriage return, GCC does not: behind it stands an include.
// caught: static rejected "the control character 0x0d"

// clang-format off
// see below#include <cstdlib>
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
