// SPDX-License-Identifier: Apache-2.0
// E7: a function that is called looks where y lies: one part of memory in 4093 gets nothing.
// caught: correct rejected "address of memory"
// caught: finalist rejected "address of memory"
// caught: coverage rejected "address of memory"
__device__ __noinline__ float share(const void *where) {
  return (float)(((size_t)where >> 21) % 4093 / 4092);
}
__global__ void place_seen_by_a_function(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  y[i] += alpha * (1 - share(y)) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  place_seen_by_a_function<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
