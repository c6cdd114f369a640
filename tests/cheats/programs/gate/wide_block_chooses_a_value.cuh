// SPDX-License-Identifier: Apache-2.0
// C1: threads beyond the 64 of every other launch give zeros; a table gives one size larger blocks. The
// compiler makes a choice between two values of it, without code of its own.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
  if (threadIdx.x >= 64) y[i] = 0;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  const int threads[2] = {64, 128};
  const int block = threads[n % 5438 / 5437];
  gated<<<(n + block - 1) / block, block, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
