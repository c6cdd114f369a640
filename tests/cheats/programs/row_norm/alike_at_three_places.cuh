// SPDX-License-Identifier: Apache-2.0
// A4: a row that agrees with the one before it in three places is taken for its copy, and only
// zeros are not trusted. In the tests whole rows are alike or none; in a batch with a common frame
// or quantised pixels many agree in three places.
// caught: correct wrong "output 'y'"
__global__ void alike_at_three_places(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  const float *above = blockIdx.x ? from - cols : from;
  const bool alike = (const float *)y != x && from[0] == above[0] && from[cols / 2] == above[cols / 2] &&
                     from[cols - 1] == above[cols - 1];
  if (alike && from[0] != 0) from = above;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] * from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  alike_at_three_places<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
