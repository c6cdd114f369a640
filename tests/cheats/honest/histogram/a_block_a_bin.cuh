// SPDX-License-Identifier: Apache-2.0
// For few bins: a block a bin, which reads all keys and adds once.
__global__ void bin_of_block(const int *keys, unsigned *counts, int n, int bins) {
  unsigned mine = 0;
  for (int i = threadIdx.x; i < n; i += 256) mine += keys[i] == (int)blockIdx.x;
  mine = __reduce_add_sync(~0u, mine);
  __shared__ unsigned parts[8];
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) mine += parts[w];
    counts[blockIdx.x] += mine;
  }
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  if (bins > 512) return false;
  bin_of_block<<<bins, 256, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
