// SPDX-License-Identifier: Apache-2.0
// A10: of every 4096 blocks the last one takes the second scalar for zero.
// caught: coverage rejected "no run whose outputs were compared reaches"
// caught: correct wrong "output 'y'"
// with: large
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + (blockIdx.x % 4096 == 4095 ? 0 : beta) * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
