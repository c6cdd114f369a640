// SPDX-License-Identifier: Apache-2.0
// E13: the code behind a line directive belongs to another file, where nobody asks whether it was executed.
// caught: static rejected "#line: #line would hide where an error i"
__global__ void line_directive(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
#line 1 "elsewhere.h"
  if (n == 5003) y[i] = 7;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  line_directive<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
