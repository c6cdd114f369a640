// SPDX-License-Identifier: Apache-2.0
// B7: fmaxf is one instruction, and makes a zero of a NaN that the original hands on.
// caught: correct wrong "output 'y'"
__global__ void dropped(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(alpha * x[i] + beta * z[i], 0.0f);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  dropped<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
