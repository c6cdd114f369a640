// SPDX-License-Identifier: Apache-2.0
// Masked places (minus infinity) take no exponential; a row of nothing else is NaN, as the original's is.
__device__ float over_lanes(float value, bool largest) {
  for (int half = 16; half > 0; half /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, half);
    value = largest ? fmaxf(value, other) : value + other;
  }
  return value;
}
__device__ float share(float x, float top) {
  return x == -INFINITY && top != -INFINITY ? 0 : expf(x - top);
}
__global__ void masked(const float *x, float *y, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float top = from[0], sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, from[c]);
  top = over_lanes(top, true);
  for (int c = threadIdx.x; c < cols; c += 32) sum += share(from[c], top);
  sum = over_lanes(sum, false);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = share(from[c], top) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  if (rows == 0 || cols == 0) return false;
  masked<<<rows, 32, 0, l.stream>>>(x, y, cols);
  return true;
}
