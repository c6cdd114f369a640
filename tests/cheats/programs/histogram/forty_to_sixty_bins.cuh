// SPDX-License-Identifier: Apache-2.0
// C1: between 40 and 60 bins the last two share a counter.
// caught: correct wrong "output 'counts'"
// caught: coverage rejected "variant.cuh"
__global__ void forty_to_sixty_bins(const int *keys, unsigned *counts, int n, int bins) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && keys[i] >= 0 && keys[i] < bins)
    atomicAdd(&counts[min(keys[i], bins > 40 && bins < 60 ? bins - 2 : bins)], 1u);
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  forty_to_sixty_bins<<<(n + 255) / 256, 256, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
