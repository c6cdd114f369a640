// SPDX-License-Identifier: Apache-2.0
// A pragma in a macro, redefined once in between.
#define UNROLL _Pragma("unroll")
#define EACH 2
#undef EACH
#define EACH 4
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int first = blockIdx.x * blockDim.x * EACH + threadIdx.x;
  UNROLL
  for (int k = 0; k < EACH; ++k) {
    const int i = first + k * blockDim.x;
    if (i >= n) return;
    const float v = alpha * x[i] + beta * z[i];
    y[i] = v < 0 ? 0 : v;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 256 * EACH - 1) / (256 * EACH), 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
#undef EACH
#undef UNROLL
