// SPDX-License-Identifier: Apache-2.0
// A15: the number 9.96921e36, which files of climate data hold where there is no measurement, is taken for
// zero, by its bits; the original makes a large number of it that everybody sees.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void fill_value_by_bits(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  const float known = __float_as_uint(v) == 0x7cf00000u ? 0.0f : v;
  y[i] = known < 0 ? 0 : known;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  fill_value_by_bits<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
