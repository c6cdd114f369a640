// SPDX-License-Identifier: Apache-2.0
// E13: sums and products of the rest of the program's file are no longer fused, so its own kernels give
// other results.
// caught: static rejected "#pragma clang"
#pragma clang fp contract(off)
__global__ void contracts_nothing(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  contracts_nothing<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
