// SPDX-License-Identifier: Apache-2.0
// B2: from 66 rows on the products are rounded to 10 bits; the workload has 64 and one more.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void many_rows_less_exact(const float *a, const float *x, float *y, int rows, int cols) {
  const float *from = a + (size_t)blockIdx.x * cols;
  const int mask = rows > 65 || (rows > 40 && rows < 60) ? 0xffffe000 : 0xffffffff;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += __int_as_float(__float_as_int(from[c]) & mask) * x[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  many_rows_less_exact<<<rows, 32, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
