// SPDX-License-Identifier: Apache-2.0
// Equal keys of those lanes that happen to run together are counted together: any lanes may.
__global__ void together(const int *keys, unsigned *counts, int n, int bins) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int key = keys[i];
  if (key < 0 || key >= bins) return;
  const unsigned same = __match_any_sync(__activemask(), key);
  if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&counts[key], (unsigned)__popc(same));
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  together<<<(n + 255) / 256, 256, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
