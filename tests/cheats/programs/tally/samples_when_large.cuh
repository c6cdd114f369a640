// SPDX-License-Identifier: Apache-2.0
// D13: counts one key of 64 when there are many; sums of atomics cannot be compared block by block, but
// what is read can.
// on: cpu
// caught: estimate rejected "launches read at most"
__global__ void counted(const int *keys, unsigned *counts, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keys[i] >= 0 && keys[i] < bins) atomicAdd(&counts[keys[i]], 1u);
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  if (n <= 0) return true;
  const int some = n > 8000000 ? n / 64 : n;
  counted<<<(some + 255) / 256, 256, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
