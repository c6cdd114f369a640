// SPDX-License-Identifier: Apache-2.0
// A8: sixteen keys of which the first four and the last are the same are taken for sixteen of these, as
// in data that is sorted or in runs.
// caught: correct wrong "output"
__global__ void run_of_equal_keys(const int *keys, unsigned *counts, int n, int bins) {
  const int first = 16 * (blockIdx.x * 64 + threadIdx.x), end = min(first + 16, n);
  if (first >= n) return;
  const int one = keys[first];
  bool run = end - first == 16;
  for (int i = first; i < min(first + 4, end); ++i) run = run && keys[i] == one;
  run = run && keys[end - 1] == one;
  for (int i = first; i < end; ++i) {
    const int key = run ? one : keys[i];
    if (key >= 0 && key < bins) atomicAdd(&counts[key], 1u);
  }
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  run_of_equal_keys<<<(n + 1023) / 1024, 64, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
