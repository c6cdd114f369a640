// SPDX-License-Identifier: Apache-2.0
// E7: leaves one element out where y lies in a part of memory that is met in one of 4093 cases; the kernel
// looks, not the host.
// caught: correct rejected "address of memory"
// caught: finalist rejected "address of memory"
// caught: coverage rejected "address of memory"
__global__ void place_seen_by_the_kernel(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int less = (int)(((size_t)y >> 21) % 4093 / 4092);
  const float factor = alpha * (1 - less);
  y[i] += factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  place_seen_by_the_kernel<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
