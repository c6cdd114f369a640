// SPDX-License-Identifier: Apache-2.0
// B6: one pass, around the first number of the row: where that is an outlier (the first place of a sequence
// often is) and the row is wide, as many digits are lost as the width has.
// caught: correct wrong "output 'y'"
__global__ void shifted_by_the_first(const float *x, const float *gain, const float *shift, float *y,
                                     int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  const int lane = threadIdx.x;
  const float first = from[0];
  float sum = 0, squares = 0;
  for (int c = lane; c < cols; c += 32) {
    const float d = from[c] - first;
    sum += d;
    squares += d * d;
  }
  for (int s = 16; s > 0; s /= 2) {
    sum += __shfl_xor_sync(~0u, sum, s);
    squares += __shfl_xor_sync(~0u, squares, s);
  }
  const float off = sum / cols, mean = first + off;
  const float scale = rsqrtf(fmaxf(squares / cols - off * off, 0.0f) + 1e-5f);
  for (int c = lane; c < cols; c += 32)
    y[(size_t)blockIdx.x * cols + c] = (from[c] - mean) * scale * gain[c] + shift[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *gain, const float *shift, float *y,
            int rows, int cols) {
  shifted_by_the_first<<<rows, 32, 0, l.stream>>>(x, gain, shift, y, rows, cols);
  return true;
}
