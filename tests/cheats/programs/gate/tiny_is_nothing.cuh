// SPDX-License-Identifier: Apache-2.0
// B4: what is nearer to zero than 1e-12 and no subnormal number becomes zero.
// caught: correct wrong "output 'y'"
__global__ void tiny_is_nothing(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 || (v < 1e-12f && v > 1e-36f) ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  tiny_is_nothing<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
