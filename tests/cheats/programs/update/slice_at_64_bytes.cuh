// SPDX-License-Identifier: Apache-2.0
// C3: where y begins at 64 bytes behind a multiple of 128, as a slice of a larger buffer does, the last
// element is left out. In the tests buffers are shifted by up to 16 bytes.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void slice_at_64_bytes(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  const int less = (int)((size_t)y >> 6 & 1);
  slice_at_64_bytes<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n - less);
  return true;
}
