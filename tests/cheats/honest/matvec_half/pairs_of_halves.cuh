// SPDX-License-Identifier: Apache-2.0
// Two operands at a time as a pair of halves; products and sums are in float.
__global__ void pairs(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float2 sums = {};
  const float *from = a + (size_t)row * cols;
  for (int c = 2 * lane; c < cols; c += 64) {
    const bool both = c + 1 < cols;
    const float2 p = __half22float2(__floats2half2_rn(from[c], both ? from[c + 1] : 0));
    const float2 q = __half22float2(__floats2half2_rn(x[c], both ? x[c + 1] : 0));
    sums.x += p.x * q.x;
    if (both) sums.y += p.y * q.y;
  }
  float sum = sums.x + sums.y;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  pairs<<<(rows + 3) / 4, 128, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
