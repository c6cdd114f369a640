// SPDX-License-Identifier: Apache-2.0
// C2: rounds the size up and writes up to three elements behind the end, where the allocator left room.
// caught: correct crashed "past the end"
// caught: correct wrong "past the end"
// caught: correct wrong "outside"
// caught: correct crashed "outside"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (n + 3) / 4 * 4) return;
  const float v = alpha * x[min(i, n - 1)] + beta * z[min(i, n - 1)];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
