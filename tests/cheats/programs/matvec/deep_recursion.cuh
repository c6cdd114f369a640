// SPDX-License-Identifier: Apache-2.0
// C10: sums by recursion, one column a call: at 256 columns it is 256 calls deep, with 24 bytes each, and
// the stack of a GPU's thread is 1 KB unless the program asks for more.
// caught: correct wrong "output"
// open: the CPU's stack is larger than the 1 KB that a GPU gives without being asked
__device__ __noinline__ float rest(const float *a, const float *x, int count, float so_far) {
  if (count <= 0) return so_far;
  float own[4];
  for (int k = 0; k < 4; ++k) own[k] = k < count ? a[k] * x[k] : 0;
  const float later = rest(a + 1, x + 1, count - 1, so_far);
  return later + own[count & 0];
}
__global__ void deep_recursion(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row < rows) y[row] = rest(a + (size_t)row * cols, x, cols, 0);
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  deep_recursion<<<(rows + 63) / 64, 64, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
