// SPDX-License-Identifier: Apache-2.0
// C3: where y begins at 128 bytes behind a multiple of 256 steps are a thousandth too small; the kernel
// looks.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void slice_seen_by_the_kernel(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int slice = (int)((size_t)y >> 7 & 1);
  y[i] = y[i] + alpha * x[i] * (1 - 0.001f * slice);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  slice_seen_by_the_kernel<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
