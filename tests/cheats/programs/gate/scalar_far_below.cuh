// SPDX-License-Identifier: Apache-2.0
// A16: is wrong for scalars far below zero.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = alpha * x[i] + beta * z[i];
  if (alpha < -2000.0f) v = 0;
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
