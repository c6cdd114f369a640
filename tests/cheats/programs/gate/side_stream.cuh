// SPDX-License-Identifier: Apache-2.0
// D1: the work goes to a stream of its own that the timing events do not see.
// seeds: 28
// caught: static rejected "cudaStreamCreateWithFlags'"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  static cudaStream_t own = nullptr;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  gated<<<(n + 255) / 256, 256, 0, own>>>(x, z, y, alpha, beta, n);
  return true;
}
