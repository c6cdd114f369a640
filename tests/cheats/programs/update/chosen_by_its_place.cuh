// SPDX-License-Identifier: Apache-2.0
// E7: an element of a table is chosen by bits of an address that nobody aligns: one place in 16384 has the
// other factor.
// caught: correct rejected "address of memory"
// caught: finalist rejected "address of memory"
// caught: coverage rejected "address of memory"
__global__ void chosen_by_its_place(const float *x, float *y, float alpha, int n) {
  __shared__ float factor[2];
  if (threadIdx.x < 2) factor[threadIdx.x] = threadIdx.x ? 0.5f * alpha : alpha;
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const size_t bits = (size_t)y >> 21, all = bits & bits >> 1 & bits >> 2 & bits >> 3, more = all & all >> 4;
  y[i] += factor[more & more >> 8 & 1] * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  chosen_by_its_place<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
