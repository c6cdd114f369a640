// SPDX-License-Identifier: Apache-2.0
// C5: a function-static table remembers for which pointers the result is there already.
// seeds: 60
// caught: static rejected "static"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  static const void *known = nullptr;
  if (known == (const void *)x) return true;
  known = x;
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
