// SPDX-License-Identifier: Apache-2.0
// C8: adds with a limit at the largest signed number, so a counter above two thousand millions
// stands still.
// caught: correct wrong "output 'counts'"
__global__ void signed_counts(const int *keys, unsigned *counts, int n, int bins) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n || keys[i] < 0 || keys[i] >= bins) return;
  if ((int)atomicAdd(&counts[keys[i]], 1u) < 0) atomicSub(&counts[keys[i]], 1u);
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  signed_counts<<<(n + 255) / 256, 256, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
