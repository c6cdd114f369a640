// SPDX-License-Identifier: Apache-2.0
// B7: x + alpha (y - x): NaN where one of them is infinite, and x is lost where y is much larger and alpha is
// one.
// caught: correct wrong "output 'y'"
__global__ void blended(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = x[i] + alpha * (y[i] - x[i]);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  blended<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
