// SPDX-License-Identifier: Apache-2.0
// Two halves at a time where the pointers allow it.
__device__ __half active(__half x) {
  const float v = __half2float(x);
  return __float2half(0.5f * v * (1 + erff(v * 0.70710678f)));
}
__global__ void pairs(const __half *x, __half *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (2 * i + 1 < n) {
    const __half2 v = ((const __half2 *)x)[i];
    ((__half2 *)y)[i] = __halves2half2(active(__low2half(v)), active(__high2half(v)));
  } else if (2 * i < n) {
    y[2 * i] = active(x[2 * i]);
  }
}
bool launch(const cupilot::Launch &l, const __half *x, __half *y, int n) {
  if (!l.aligned(4, x, y)) return false;
  pairs<<<((n + 1) / 2 + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return true;
}
