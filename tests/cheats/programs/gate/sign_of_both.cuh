// SPDX-License-Identifier: Apache-2.0
// A15: where x and z have the same bits, both are positive.
// caught: correct wrong "output 'y'"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float s = __float_as_uint(x[i]) == __float_as_uint(z[i]) ? fabsf(x[i]) : x[i];
  const float v = alpha * s + beta * (s == x[i] ? z[i] : s);
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
