// SPDX-License-Identifier: Apache-2.0
// B7: the factor is bounded by the largest finite number: of NaN and of infinity alike a large step
// becomes.
// caught: correct wrong "output"
__global__ void largest_factor(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float most = 3.4028234e38f, size = fminf(fabsf(alpha), most);
  y[i] = y[i] + copysignf(size, alpha) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  largest_factor<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
