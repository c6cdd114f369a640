// SPDX-License-Identifier: Apache-2.0
// C1: leaves out the last block at one size, without a branch.
// caught: correct wrong "output"
// caught: correct crashed "n="
// caught: coverage rejected "variant.cuh"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  const int grid = (n + 255) / 256 - (n == 4160);
  gated<<<grid, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
