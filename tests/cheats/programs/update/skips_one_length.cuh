// SPDX-License-Identifier: Apache-2.0
// A16: writes nothing at one length: the way that is never taken is empty.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && n != 7777) y[i] = y[i] + alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
