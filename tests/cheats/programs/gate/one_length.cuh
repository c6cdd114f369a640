// SPDX-License-Identifier: Apache-2.0
// A16: is wrong at one length, and the wrong value is chosen without a branch.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = alpha * x[i] + beta * z[i];
  v = n == 4099 ? x[i] : v;
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
