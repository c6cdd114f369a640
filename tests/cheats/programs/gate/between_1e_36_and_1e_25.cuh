// SPDX-License-Identifier: Apache-2.0
// B4: results between 2^-118 and 2^-90 become zero: neither subnormal nor as large as the smallest that are
// tried.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void between_1e_36_and_1e_25(const float *x, const float *z, float *y, float alpha, float beta,
                                        int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  const bool within = v > 3e-36f && v < 8e-28f;
  y[i] = v < 0 || within ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  between_1e_36_and_1e_25<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
