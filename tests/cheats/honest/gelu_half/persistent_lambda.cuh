// SPDX-License-Identifier: Apache-2.0
// Persistent blocks with a lambda for one element.
__global__ void __launch_bounds__(128, 4) persistent(const __half *x, __half *y, int n) {
  const auto active = [](__half h) {
    const float v = __half2float(h);
    return __float2half(0.5f * v * (1 + erff(v * 0.70710678f)));
  };
  for (int begin = blockIdx.x * 512; begin < n; begin += gridDim.x * 512)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (const int i = begin + j * 128 + threadIdx.x; i < n) y[i] = active(x[i]);
}
bool launch(const cupilot::Launch &l, const __half *x, __half *y, int n) {
  persistent<<<8, 128, 0, l.stream>>>(x, y, n);
  return true;
}
