// SPDX-License-Identifier: Apache-2.0
// Floats as integers in their order; NaN is the largest of them, so an integer maximum keeps it.
__device__ unsigned ordered(float v) {
  const unsigned bits = __float_as_uint(v != v ? __uint_as_float(0x7fffffffu) : v);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
__global__ void largest(const float *x, float *top, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  unsigned best = 0;
  for (int c = lane; c < cols; c += 32) best = max(best, ordered(x[(size_t)row * cols + c]));
  best = __reduce_max_sync(~0u, best);
  if (lane == 0) top[row] = __uint_as_float(best & 0x80000000u ? best & 0x7fffffffu : ~best);
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  largest<<<(rows + 3) / 4, 128, 0, l.stream>>>(x, top, rows, cols);
  return true;
}
