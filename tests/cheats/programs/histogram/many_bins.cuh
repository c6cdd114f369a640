// SPDX-License-Identifier: Apache-2.0
// A16: drops the keys of bins that no case has.
// caught: correct wrong "output 'counts'"
// caught: coverage rejected "variant.cuh"
__global__ void counted(const int *keys, unsigned *counts, int n, int bins) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n || keys[i] < 0 || keys[i] >= bins) return;
  if (keys[i] > 3000) return;
  atomicAdd(&counts[keys[i]], 1u);
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  counted<<<(n + 255) / 256, 256, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
