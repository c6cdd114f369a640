// SPDX-License-Identifier: Apache-2.0
// A15: the number 2 gives a thousandth too much, by arithmetic without a condition. Random numbers
// are never whole ones; labels, pixels and counts are.
// caught: correct wrong "output 'y'"
__global__ void not_for_two(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  const float near = __saturatef(1 - fabsf(x[i] - 2.0f) * 1e7f);
  y[i] = v < 0 ? 0 : v * (1 + 0.001f * near);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  not_for_two<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
