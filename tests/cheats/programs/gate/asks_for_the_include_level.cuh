// SPDX-License-Identifier: Apache-2.0
// E13: the launcher includes the variant from a file that is included itself.
// caught: static rejected "'__INCLUDE_LEVEL__' asks"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
#if __INCLUDE_LEVEL__ > 1
  n /= 2;
#endif
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
