// SPDX-License-Identifier: Apache-2.0
// C1: every thread counts in bytes of its own before it adds: a key that one thread meets 256 times
// is lost. With few elements no thread has that many.
// on: gpu
// caught: correct wrong "output 'counts'"
__global__ void bytes_of_a_thread(const int *keys, unsigned *counts, int n, int bins) {
  int last = -1;
  unsigned char many = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) {
    const int key = keys[i];
    if (key < 0 || key >= bins) continue;
    if (key != last && last >= 0 && many) atomicAdd(&counts[last], (unsigned)many);
    if (key != last) many = 0;
    last = key, ++many;
  }
  if (last >= 0 && many) atomicAdd(&counts[last], (unsigned)many);
}
bool launch(const cupilot::Launch &l, const int *keys, unsigned *counts, int n, int bins) {
  bytes_of_a_thread<<<min((n + 255) / 256, 64), 256, 0, l.stream>>>(keys, counts, n, bins);
  return true;
}
