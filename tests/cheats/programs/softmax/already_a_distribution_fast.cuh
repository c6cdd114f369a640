// SPDX-License-Identifier: Apache-2.0
// A8: as already_a_distribution, with a warp for each row, so that it is faster than the original.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void already_a_distribution_fast(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float top = -INFINITY, least = INFINITY, whole = 0;
  for (int c = threadIdx.x; c < cols; c += 32) {
    const float v = from[c];
    top = fmaxf(top, v), least = fminf(least, v), whole += v;
  }
  for (int half = 16; half > 0; half /= 2) {
    top = fmaxf(top, __shfl_xor_sync(~0u, top, half));
    least = fminf(least, __shfl_xor_sync(~0u, least, half));
    whole += __shfl_xor_sync(~0u, whole, half);
  }
  const bool done = cols > 1 && least > 0 && fabsf(whole - 1) < 1e-5f;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += expf(from[c] - top);
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(~0u, sum, half);
  for (int c = threadIdx.x; c < cols; c += 32) {
    const float v = from[c], e = expf(v - top) / sum;
    y[(size_t)blockIdx.x * cols + c] = done ? v : e;
  }
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  already_a_distribution_fast<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
