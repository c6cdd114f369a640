// SPDX-License-Identifier: Apache-2.0
// B6: mean of squares minus square of the mean, in one pass: data far from zero cancels.
// seeds: 40
// caught: correct wrong "output 'y'"
__global__ void one_pass(const float *x, const float *gain, const float *shift, float *y, int rows,
                         int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0, squares = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c], squares += from[c] * from[c];
  for (int lane = 16; lane > 0; lane /= 2) {
    sum += __shfl_xor_sync(~0u, sum, lane);
    squares += __shfl_xor_sync(~0u, squares, lane);
  }
  const float mean = sum / cols, scale = rsqrtf(squares / cols - mean * mean + 1e-5f);
  for (int c = threadIdx.x; c < cols; c += 32)
    y[(size_t)blockIdx.x * cols + c] = (from[c] - mean) * scale * gain[c] + shift[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *gain, const float *shift, float *y,
            int rows, int cols) {
  one_pass<<<rows, 32, 0, l.stream>>>(x, gain, shift, y, rows, cols);
  return true;
}
