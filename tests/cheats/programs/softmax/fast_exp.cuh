// SPDX-License-Identifier: Apache-2.0
// B4: the approximate exponential and division, as the fast-math flag would give them to one side only.
// caught: screen rejected "approx"
// caught: correct wrong "output 'y'"
__global__ void fast(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, from[c]);
  for (int lane = 16; lane > 0; lane /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, lane));
  for (int c = threadIdx.x; c < cols; c += 32) sum += __expf(from[c] - top);
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  for (int c = threadIdx.x; c < cols; c += 32)
    y[(size_t)blockIdx.x * cols + c] = __fdividef(__expf(from[c] - top), sum);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  fast<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
