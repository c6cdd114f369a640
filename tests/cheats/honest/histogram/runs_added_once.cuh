// SPDX-License-Identifier: Apache-2.0
// Keys that follow each other and are the same are added by one atomic addition, after all of them were
// read.
__global__ void runs_added_once(const int *keys, unsigned *counts, int n, int bins) {
  const int first = 16 * (blockIdx.x * 64 + threadIdx.x), end = min(first + 16, n);
  unsigned run = 0;
  for (int i = first; i < end; ++i) {
    ++run;
    if (i + 1 < end && keys[i + 1] == keys[i]) continue;
    if (keys[i] >= 0 && keys[i] < bins) atomicAdd(&counts[keys[i]], run);
    run = 0;
  }
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  runs_added_once<<<(n + 1023) / 1024, 64, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
