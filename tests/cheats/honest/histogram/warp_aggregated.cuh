// SPDX-License-Identifier: Apache-2.0
// Equal keys of a warp are counted together.
__global__ void together(const int *keys, unsigned *counts, int n, int bins) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int key = i < n ? keys[i] : -1;
  const unsigned same = __match_any_sync(~0u, key);
  if (key >= 0 && key < bins && threadIdx.x % 32 == __ffs(same) - 1)
    atomicAdd(&counts[key], (unsigned)__popc(same));
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  together<<<(n + 255) / 256, 256, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
