// SPDX-License-Identifier: Apache-2.0
// E4: an alias gives the runtime's launch another body.
// caught: static rejected "attribute"
// caught: static rejected "extern"
extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
__attribute__((alias("cudaStreamSynchronize"))) cudaError_t hooked(cudaStream_t);
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
