// SPDX-License-Identifier: Apache-2.0
// E13: digraphs make a function's body that an outline by brackets does not see; host assembly stands in
// it.
// caught: static rejected "digraphs are not allowed"

// clang-format off
inline int harmless() <% asm("nop"); return 1; %>
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
