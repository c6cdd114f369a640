// SPDX-License-Identifier: Apache-2.0
// E13: a name of the program becomes weak by a pragma.
// caught: static rejected "#pragma weak"
#pragma weak elements
__global__ void weak_by_pragma(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  weak_by_pragma<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
