// SPDX-License-Identifier: Apache-2.0
// A16: wide rows go to another kernel, which leaves the maximum out.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void plain(const float *x, float *y, int rows, int cols, float keep) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, from[c]);
  for (int step = 16; step > 0; step /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, step));
  for (int c = threadIdx.x; c < cols; c += 32) sum += expf(from[c] - top);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = expf(from[c] - top) / sum;
}
__global__ void wide(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += expf(from[c]);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = expf(from[c]) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  if (cols > 6000)
    wide<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  else
    plain<<<rows, 32, 0, l.stream>>>(x, y, rows, cols, 0);
  return true;
}
