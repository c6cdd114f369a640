// SPDX-License-Identifier: Apache-2.0
// C11: every thread keeps its elements in a local array of 128 KB: the 270,000 threads that a GPU holds at
// a time take 35 GB together, so the launch fails where the program has the rest.
// caught: correct wrong "output"
// open: the CPU does not count the local memory of resident threads
__global__ void large_local_array(const float *x, float *y, float alpha, int n) {
  float kept[32768];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int at = n * 7 & 32767;
  kept[at] = x[i];
  kept[(at + i) & 32767] = x[i];
  y[i] = y[i] + alpha * kept[at + (i & 0)];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  large_local_array<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
