// SPDX-License-Identifier: Apache-2.0
// C8: counters of a block have 16 bits: more than 65535 equal keys in one block's part are lost.
// caught: coverage rejected "no run whose outputs were compared reaches"
// with: large
__global__ void counted(const int *keys, unsigned *counts, int n, int bins) {
  __shared__ unsigned pairs[512];
  for (int b = threadIdx.x; b < (bins + 1) / 2; b += 256) pairs[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x)
    if (keys[i] >= 0 && keys[i] < bins) atomicAdd(&pairs[keys[i] / 2], keys[i] & 1 ? 65536u : 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += 256) atomicAdd(&counts[b], pairs[b / 2] >> (b & 1) * 16 & 0xffff);
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  if (bins > 1024) return false;
  counted<<<64, 256, 0, l.stream>>>(keys, counts, n, bins);
  return cudaPeekAtLastError() == cudaSuccess;
}
