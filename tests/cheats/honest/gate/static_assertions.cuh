// SPDX-License-Identifier: Apache-2.0
// Static assertions with a message, questions?, and digit separators.
constexpr int kThreads = 1'024 / 4;
static_assert(kThreads % 32 == 0, "whole warps? yes");
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + kThreads - 1) / kThreads, kThreads, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
