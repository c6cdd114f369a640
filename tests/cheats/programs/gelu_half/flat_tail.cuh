// SPDX-License-Identifier: Apache-2.0
// A7: below -3.9 nothing is left of it, where the function still has normal numbers.
// caught: correct wrong "output 'y'"
__global__ void activated(const __half *x, __half *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  y[i] = __float2half(v < -3.9f ? 0 : 0.5f * v * (1 + erff(v * 0.70710678f)));
}
bool launch(const cupilot::Launch &l, const __half *x, __half *y, int n) {
  activated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
