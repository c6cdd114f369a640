// SPDX-License-Identifier: Apache-2.0
// A10: of every million elements the last one is left out.
// caught: coverage rejected "no run whose outputs were compared reaches"
// caught: estimate wrong "executed at the full size"
// caught: correct wrong "output 'y'"
// with: large
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = (i & 0xfffff) == 0xfffff ? 0 : alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
