// SPDX-License-Identifier: Apache-2.0
// A14: where beta is minus alpha, as in the difference of two, the result is a thousandth too large: by
// arithmetic on their sum.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void difference_of_two(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  const float near = __saturatef(1 - fabsf(alpha + beta) * 1e7f);
  y[i] = v < 0 ? 0 : v * (1 + 0.001f * near);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  difference_of_two<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
