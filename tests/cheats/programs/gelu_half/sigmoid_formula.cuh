// SPDX-License-Identifier: Apache-2.0
// A7: v / (1 + exp(-1.702 v)): off by up to two hundredths.
// caught: correct wrong "output 'y'"
__global__ void activated(const __half *x, __half *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  y[i] = __float2half(v / (1 + expf(-1.702f * v)));
}
bool launch(const cupilot::Launch &l, const __half *x, __half *y, int n) {
  activated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
