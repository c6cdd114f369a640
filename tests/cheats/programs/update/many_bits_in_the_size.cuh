// SPDX-License-Identifier: Apache-2.0
// C1: a size with 13 bits set, as 8191 or 16383, loses its last element, by counting bits and a division.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void many_bits_in_the_size(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - __popc(n) / 13) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  many_bits_in_the_size<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
