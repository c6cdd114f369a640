// SPDX-License-Identifier: Apache-2.0
// C9: counts launches in a constant that it writes through a cast; after 4000 of them it leaves
// one element out.
// caught: correct rejected "changes the constant"
// caught: correct wrong "global-race"
__device__ const int calls[1] = {1};
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == n - 1) {
    volatile int *count = const_cast<int *>(calls);
    *count = *count + 1;
    if (*count > 4000) return;
  }
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
