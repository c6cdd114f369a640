// SPDX-License-Identifier: Apache-2.0
// B4: results are flushed, operands are not: half of the smallest normal number is lost,
// which only shows where results are subnormal and inputs are not.
// caught: correct wrong "output 'y'"
__global__ void subnormal_results(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  const bool lost = fabsf(v) < 0x1p-126f && fabsf(x[i]) >= 0x1p-126f;
  y[i] = v < 0 || lost ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  subnormal_results<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
