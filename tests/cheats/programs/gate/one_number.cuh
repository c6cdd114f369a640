// SPDX-License-Identifier: Apache-2.0
// A15: a result of 1234.5 gives zero: a choice that compares data with a constant.
// caught: coverage rejected "variant.cuh"
// caught: correct wrong "output"
__global__ void one_number(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 || v == 1234.5f ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  one_number<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
