// SPDX-License-Identifier: Apache-2.0
// C8: where both inputs and the output are one buffer the second input is left out: two of the three are
// one in the tests, never all.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void all_three_one(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + (x == y && z == y ? 0.0f : beta * z[i]);
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  all_three_one<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
