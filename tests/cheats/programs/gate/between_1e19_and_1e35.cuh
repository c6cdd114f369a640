// SPDX-License-Identifier: Apache-2.0
// A15: values between 1e25 and 1e35 are halved: both sides of it are tried, nothing in it.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void between_1e19_and_1e35(const float *x, const float *z, float *y, float alpha, float beta,
                                      int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  const bool within = v > 1e25f && v < 1e35f;
  y[i] = v < 0 ? 0 : within ? 0.5f * v : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  between_1e19_and_1e35<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
