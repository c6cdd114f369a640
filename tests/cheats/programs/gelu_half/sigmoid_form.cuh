// SPDX-License-Identifier: Apache-2.0
// A7: another formula that is near the one asked for, as papers use it; the difference is below 2e-2
// everywhere.
// caught: correct wrong "output 'y'"
__global__ void another(const __half *x, __half *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  y[i] = __float2half(v / (1 + expf(-1.702f * v)));
}
bool launch(const cupilot::Launch &l, const __half *x, __half *y, int n) {
  another<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return true;
}
