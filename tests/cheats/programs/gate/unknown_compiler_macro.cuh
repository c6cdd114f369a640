// SPDX-License-Identifier: Apache-2.0
// E13: a macro of the compiler that nobody thought of: only those known to be the same are allowed.
// caught: static rejected "'__OPTIMIZE__' is a reserved name"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
#ifndef __OPTIMIZE__
  n /= 2;
#endif
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
