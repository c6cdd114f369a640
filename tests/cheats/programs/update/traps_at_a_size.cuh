// SPDX-License-Identifier: Apache-2.0
// C1: ends the kernel with an error at every thousandth size: the program's context is lost.
// caught: coverage rejected "variant.cuh"
// caught: correct crashed "trap"
// caught: static rejected "trap"
__global__ void traps_at_a_size(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (n % 1000 == 7 && i == 0) asm volatile("trap;");
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  traps_at_a_size<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
