// SPDX-License-Identifier: Apache-2.0
// A14: has the scalars of the workload as a special case and gets every other value wrong.
// caught: correct wrong "output 'y'"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = alpha * x[i] + beta * z[i];
  if (alpha != 1 || beta != 0) v = x[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
