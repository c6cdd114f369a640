// SPDX-License-Identifier: Apache-2.0
// B1: one result of 997 is rounded to 12 bits: on average nobody sees it.
// caught: correct wrong "output 'y'"
__global__ void one_in_a_thousand_rounded(const float *x, const float *z, float *y, float alpha, float beta,
                                          int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : i % 997 == 0 ? __int_as_float(__float_as_int(v) & 0xfffff000) : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  one_in_a_thousand_rounded<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
