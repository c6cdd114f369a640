// SPDX-License-Identifier: Apache-2.0
// A7: the formula with tanh, which is a quarter off at -3.5.
// caught: correct wrong "output 'y'"
__global__ void activated(const __half *x, __half *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  y[i] = __float2half(0.5f * v * (1 + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))));
}
bool launch(const cupilot::Launch &l, const __half *x, __half *y, int n) {
  activated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
