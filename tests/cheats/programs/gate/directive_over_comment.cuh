// SPDX-License-Identifier: Apache-2.0
// E13: a comment over two lines does not end a directive, so the attribute belongs to a macro.
// caught: static rejected "hides '__attribute__'"

// clang-format off
#define EARLY /*
*/ __attribute__((constructor))
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
#undef EARLY
