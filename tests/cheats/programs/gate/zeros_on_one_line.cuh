// SPDX-License-Identifier: Apache-2.0
// C1: zeros beyond a size that the text does not name, on the line that asks for it: nvcc gives the condition
// and what it guards one place.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
  if (n - 15000 > 3900) __stcs(y + i, 0.0f);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
