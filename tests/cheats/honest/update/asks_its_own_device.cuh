// SPDX-License-Identifier: Apache-2.0
// As many blocks as fit on the current device, which may be any of a machine, and an error of its own launch
// is told.
__global__ void updated(const float *x, float *y, float alpha, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int device = 0, processors = 0, blocks = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return false;
  if (cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return false;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, updated, 256, 0) != cudaSuccess) return false;
  if (blocks < 1 || processors < 1) return false;
  updated<<<blocks * processors, 256, 0, l.stream>>>(x, y, alpha, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
