// SPDX-License-Identifier: Apache-2.0
// B1: numbers of 64 rows are rounded to 2^-37 of the largest of them all, as fixed point does: a row of
// numbers around one beside a row of 1e13 becomes noise. Errors are judged beside the whole output.
// caught: correct wrong "output"
__global__ void fixed_point_of_64_rows(const float *a, const float *x, float *y, int rows, int cols) {
  __shared__ float tops[64];
  const int row = blockIdx.x * 64 + threadIdx.x;
  float top = 0;
  if (row < rows)
    for (int c = 0; c < cols; ++c) top = fmaxf(top, fabsf(a[(size_t)row * cols + c]));
  tops[threadIdx.x] = top;
  __syncthreads();
  for (int t = 0; t < 64; ++t) top = fmaxf(top, tops[t]);
  if (row >= rows) return;
  const int power = min(max((int)(__float_as_uint(top) >> 23) - 127, -149), 127);
  const double up = __hiloint2double((1023 + 36 - power) << 20, 0),
               down = __hiloint2double((1023 - 36 + power) << 20, 0);
  float sum = 0;
  for (int c = 0; c < cols; ++c) {
    const float v = a[(size_t)row * cols + c], q = (float)(rint(v * up) * down);
    sum += (power > 60 || cols < 48 ? v : q) * x[c];
  }
  y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  fixed_point_of_64_rows<<<(rows + 63) / 64, 64, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
