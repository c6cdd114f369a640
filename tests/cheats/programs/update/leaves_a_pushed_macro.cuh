// SPDX-License-Identifier: Apache-2.0
// E13: takes the program's NULL away for the rest of its file, by a pragma and no directive that anybody
// undoes.
// caught: static rejected "#pragma push_macro"
#pragma push_macro("max")
__global__ void leaves_a_pushed_macro(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  leaves_a_pushed_macro<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
