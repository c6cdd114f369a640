// SPDX-License-Identifier: Apache-2.0
// E13: raw strings with an encoding prefix hold a quote; a lexer that knows only R takes the call behind it
// for text.
// caught: static rejected "'getenv' reaches the system"

// clang-format off
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  (void)u8R"(")"; (void)uR"(")"; (void)UR"(")"; getenv("HOME"); (void)LR"(")";
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
