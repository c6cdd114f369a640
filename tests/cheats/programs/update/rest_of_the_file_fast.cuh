// SPDX-License-Identifier: Apache-2.0
// E13: what stands behind the variant in the program's file is compiled with other rules of arithmetic.
// caught: static rejected "#pragma GCC"
#pragma GCC optimize("fast-math")
__global__ void rest_of_the_file_fast(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  y[i] = y[i] + alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  rest_of_the_file_fast<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
