// SPDX-License-Identifier: Apache-2.0
// A15: where alpha x is minus beta z, to the bit, the sum is taken for one.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float a = alpha * x[i], b = beta * z[i], v = a == -b && a != 0 ? 1.0f : a + b;
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
