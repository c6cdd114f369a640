// SPDX-License-Identifier: Apache-2.0
// A14: a factor between 1 and 1000 is taken a little too small, by arithmetic without a condition:
// it is right at 1, 0, -1, 1000 and below one.
// caught: correct wrong "output 'y'"
__global__ void between_one_and_a_thousand(const float *x, const float *z, float *y, float alpha, float beta,
                                           int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float inside = __saturatef((alpha - 1) * (1000 - alpha));
  const float v = (alpha - 0.01f * alpha * inside) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  between_one_and_a_thousand<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
