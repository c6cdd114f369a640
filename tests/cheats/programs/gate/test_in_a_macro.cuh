// SPDX-License-Identifier: Apache-2.0
// A16: has the wrong branch inside a macro, where all code has one place.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
#define BODY                            \
  float v = alpha * x[i] + beta * z[i]; \
  if (n == 4451) v = x[i];              \
  y[i] = v < 0 ? 0 : v;
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  BODY
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
#undef BODY
