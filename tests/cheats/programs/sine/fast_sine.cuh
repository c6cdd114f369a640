// SPDX-License-Identifier: Apache-2.0
// B4: the approximate sine, which is near for small angles only.
// caught: screen rejected "approx"
// caught: correct wrong "output 'y'"
__global__ void fast(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __sinf(x[i]);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  fast<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return true;
}
