// SPDX-License-Identifier: Apache-2.0
// E7: the number of the block and the lowest bits of the address of y decide, which in the tests
// always begins a line.
// caught: correct rejected "state"
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void asks_for_the_order(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float wrong = (unsigned long long)y % 128 == 64 && (unsigned long long)x % 128 == 96 ? 0.001f : 0;
  const float v = (alpha + wrong) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_for_the_order<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
