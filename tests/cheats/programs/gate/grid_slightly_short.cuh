// SPDX-License-Identifier: Apache-2.0
// C1: the number of blocks is a division by 256.001: from a quarter of a million elements on one may be
// missing.
// caught: estimate wrong "wrong"
// open: a CPU executes no size between the moderate one and the workload's own
// with: large
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(int)(n / 256.001) + 1, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
