// SPDX-License-Identifier: Apache-2.0
// E13: the code behind a line marker belongs to another file, where nobody asks whether it was executed.
// caught: static rejected "#1: this directive"
__global__ void line_marker(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
# 1 "elsewhere.h"
  if (n == 5003) y[i] = 7;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  line_marker<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
