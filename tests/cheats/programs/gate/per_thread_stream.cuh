// SPDX-License-Identifier: Apache-2.0
// D1: the launch goes to the per-thread stream, which has a number of its own and no name here.
// caught: screen rejected "stream"
// caught: correct rejected "stream"
// caught: time rejected "stream"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, (cudaStream_t)2>>>(x, z, y, alpha, beta, n);
  return true;
}
