// SPDX-License-Identifier: Apache-2.0
// A4: the mean comes from the whole row, the variance from every other column.
// caught: correct wrong "output 'y'"
__global__ void variance_of_a_half(const float *x, const float *gain, const float *shift, float *y, int rows,
                                   int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0, squares = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float mean = sum / cols;
  for (int c = 2 * threadIdx.x; c < cols; c += 64) squares += (from[c] - mean) * (from[c] - mean);
  for (int half = 16; half > 0; half /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, half);
  const float scale = rsqrtf(squares / ((cols + 1) / 2) + 1e-5f);
  for (int c = threadIdx.x; c < cols; c += 32)
    y[(size_t)blockIdx.x * cols + c] = (from[c] - mean) * scale * gain[c] + shift[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *gain, const float *shift, float *y,
            int rows, int cols) {
  variance_of_a_half<<<rows, 32, 0, l.stream>>>(x, gain, shift, y, rows, cols);
  return true;
}
