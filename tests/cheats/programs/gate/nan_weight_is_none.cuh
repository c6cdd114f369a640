// SPDX-License-Identifier: Apache-2.0
// B7: the second input counts only if its weight is above or below zero: a weight that is NaN leaves it
// out.
// caught: correct wrong "output"
__global__ void nan_weight_is_none(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float own = alpha * x[i], other = z[i];
  const bool counts = beta > 0 || beta < 0 || other - other != 0;
  const float v = counts ? own + beta * other : own;
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  nan_weight_is_none<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
