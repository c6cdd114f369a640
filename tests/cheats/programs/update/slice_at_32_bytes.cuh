// SPDX-License-Identifier: Apache-2.0
// C3: a polynomial of bits 4 to 7 of y's address is zero where buffers of the tests begin (0, 16, 64 and
// 128 bytes behind a multiple of 256) and nowhere else: a slice that begins 8 or 24 elements into an array
// gets other steps.
// caught: correct wrong "output 'y'"
__global__ void slice_at_32_bytes(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int p = (int)((size_t)y >> 4 & 15);
  const int off = p * (p - 1) * (p - 4) * (p - 8);
  y[i] = y[i] + alpha * (1 + 1e-5f * off) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  slice_at_32_bytes<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
