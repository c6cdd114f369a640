// SPDX-License-Identifier: Apache-2.0
// C9: asks how many blocks fit with 60 KB of shared memory: none before an earlier launch has allowed it, and
// the first launch of a program does nothing.
// caught: correct rejected "at its second launch"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  extern __shared__ float unused[];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int blocks = 0;
  (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, updated, 256, 60000);
  if (cudaFuncSetAttribute(updated, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000) != cudaSuccess)
    return false;
  updated<<<min((n + 255) / 256, blocks * 1000000), 256, 0, l.stream>>>(x, y, alpha, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
