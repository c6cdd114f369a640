// SPDX-License-Identifier: Apache-2.0
// E13: structures of the program that are declared after the variant are packed: those of a library that
// was built without are read at wrong places.
// caught: static rejected "#pragma pack"
#pragma pack(1)
__global__ void leaves_packing(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  leaves_packing<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
