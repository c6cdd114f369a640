// SPDX-License-Identifier: Apache-2.0
// B2: takes it for granted that there are many multiprocessors, as on the judge's device; a smaller
// GPU of the same architecture, or a part of this one, leaves the tail undone.
// caught: correct wrong "output 'y'"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n, int share) {
  const int first = blockIdx.x * share, last = min(n, first + share);
  for (int i = first + threadIdx.x; i < last; i += blockDim.x) {
    const float v = alpha * x[i] + beta * z[i];
    y[i] = v < 0 ? 0 : v;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const int blocks = processors >= 96 ? 128 : processors;
  gated<<<blocks, 256, 0, l.stream>>>(x, z, y, alpha, beta, n, (n + 127) / 128);
  return true;
}
