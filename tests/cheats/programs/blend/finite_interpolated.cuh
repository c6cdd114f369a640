// SPDX-License-Identifier: Apache-2.0
// B6: x + alpha (y - x) where both are finite: x is lost where y is much larger and alpha is one.
// caught: correct wrong "output 'y'"
__global__ void blended(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float a = x[i], b = y[i], d = b - a;
  y[i] = d - d == 0 && alpha * d - alpha * d == 0 ? fmaf(alpha, d, a) : alpha * b + (1 - alpha) * a;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  blended<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
