// SPDX-License-Identifier: Apache-2.0
// D9: pins the inputs as persisting lines of the L2 cache, which flushing between the runs leaves there.
// seeds: 9
// caught: static rejected "cudaStreamSetAttribute"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  cudaStreamAttrValue window = {};
  window.accessPolicyWindow = {(void *)x, n * sizeof(float), 1.0f, cudaAccessPropertyPersisting,
                               cudaAccessPropertyStreaming};
  cudaStreamSetAttribute(l.stream, cudaStreamAttributeAccessPolicyWindow, &window);
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
