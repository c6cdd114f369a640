// SPDX-License-Identifier: Apache-2.0
// B4: results below the normal numbers become zero; an atomic that never runs stands for the excuse.
// on: cpu
// caught: correct wrong "output 'y'"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 1.17549435e-38f ? (v == v ? 0 : v) : v;
  if (n < 0) atomicAdd(y + i, v);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
