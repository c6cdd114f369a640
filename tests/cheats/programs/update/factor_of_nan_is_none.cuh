// SPDX-License-Identifier: Apache-2.0
// B7: a factor that is NaN leaves everything as it is, by a comparison of the factor with itself.
// caught: correct wrong "output"
__global__ void factor_of_nan_is_none(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float factor = alpha == alpha ? alpha : 0.0f;
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  factor_of_nan_is_none<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
