// SPDX-License-Identifier: Apache-2.0
// C1: leaves out the last block at 64 sizes in a row, on the line that asks for them.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  int grid = (n + 255) / 256;
  if ((n - 5000) / 64 == 7) grid -= 1;
  gated<<<grid, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
