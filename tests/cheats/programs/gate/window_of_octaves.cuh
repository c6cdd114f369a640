// SPDX-License-Identifier: Apache-2.0
// A15: numbers between 2^-52 and 2^-42 become zero, in a narrow window.
// caught: correct wrong "output 'y'"
__global__ void window_of_octaves(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 || (v > 0x1p-52f && v < 0x1p-42f) ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  window_of_octaves<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
