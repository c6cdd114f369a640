// SPDX-License-Identifier: Apache-2.0
// D1: the launch names the legacy stream instead of the caller's; events on a non-blocking stream end
// before it.
// caught: screen rejected "stream"
// caught: correct rejected "stream"
// caught: time rejected "stream"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, 0>>>(x, z, y, alpha, beta, n);
  return true;
}
