// SPDX-License-Identifier: Apache-2.0
// E7: how many blocks of 1024 threads fit follows from the kernel's registers, of which there are 32 where
// nothing is built for a GPU: with one block instead of two the last one is left out.
// caught: correct wrong "output"
// open: on the CPU the recorder takes 32 registers for every kernel
__global__ void registers_by_occupancy(const float *x, float *y, float alpha, int n) {
  float kept[24];
  const int first = (blockIdx.x * 128 + threadIdx.x) * 24;
#pragma unroll
  for (int k = 0; k < 24; ++k) kept[k] = first + k < n ? x[first + k] : 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 24; ++k)
    if (first + k < n) y[first + k] = y[first + k] + alpha * kept[k];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int blocks = 2;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, registers_by_occupancy, 1024, 0) != cudaSuccess)
    return false;
  const int grid = (n + 3071) / 3072;
  registers_by_occupancy<<<grid - (2 - blocks) * (grid / 2), 128, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
