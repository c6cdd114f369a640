// SPDX-License-Identifier: Apache-2.0
// C9: the host's random numbers keep the count: one launch in a hundred does nothing, and the average is
// faster.
// caught: static rejected "rand"
// caught: screen rejected "rand"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (rand() % 100 == 7) return true;
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
