// SPDX-License-Identifier: Apache-2.0
// E13: the slashes of a comment stand on two lines: a naive lexer sees code in which a quote opens a
// string.
// caught: static rejected "a line continuation may stand only between words"

// clang-format off
/\
/ R"(
#include <cstdio>
// )"
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
