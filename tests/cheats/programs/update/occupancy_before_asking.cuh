// SPDX-License-Identifier: Apache-2.0
// C9: how many blocks with 64 KB fit is 0 before the kernel was allowed more than 48 KB and 1 or more
// afterwards: the first call in a program leaves its last block out. The recorder answers alike both times.
// caught: correct rejected "at its second launch"
__global__ void occupancy_before_asking(const float *x, float *y, float alpha, int n) {
  extern __shared__ float unused[];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  y[i] = y[i] + alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int blocks = 1;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, occupancy_before_asking, 256, 65536) !=
      cudaSuccess)
    return false;
  if (cudaFuncSetAttribute(occupancy_before_asking, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536) !=
      cudaSuccess)
    return false;
  const int grid = (n + 255) / 256;
  occupancy_before_asking<<<grid - (1 >> blocks), 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
