// SPDX-License-Identifier: Apache-2.0
// C8: rows of an odd width are done in two launches, the second of which reads the input again:
// wrong in place, and right at the even width of the workload.
// caught: correct wrong "output 'y'"
__device__ float over_lanes(float value, bool largest) {
  for (int half = 16; half > 0; half /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, half);
    value = largest ? fmaxf(value, other) : value + other;
  }
  return value;
}
__global__ void exponentials(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float *to = y + (size_t)blockIdx.x * cols;
  float top = from[0], sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, from[c]);
  top = over_lanes(top, true);
  for (int c = threadIdx.x; c < cols; c += 32) sum += expf(from[c] - top);
  sum = over_lanes(sum, false);
  const bool even = cols % 2 == 0;
  for (int c = threadIdx.x; c < cols; c += 32) to[c] = even ? expf(from[c] - top) / sum : 0;
}
__global__ void odd_rows(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float *to = y + (size_t)blockIdx.x * cols;
  float top = from[0], sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, from[c]);
  top = over_lanes(top, true);
  for (int c = threadIdx.x; c < cols; c += 32) sum += expf(from[c] - top);
  sum = over_lanes(sum, false);
  for (int c = threadIdx.x; c < cols; c += 32) to[c] = expf(from[c] - top) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  if (rows == 0 || cols == 0) return false;
  exponentials<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  if (cols % 2) odd_rows<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
