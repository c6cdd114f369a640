// SPDX-License-Identifier: Apache-2.0
// A8: a row whose mean is nearly zero and whose mean square is nearly one, as layer normalisation makes it,
// is taken for normed already: the scale is one, which is up to 5e-5 off.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void normed_already(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float sum = 0, plain = 0;
  for (int c = 0; c < cols; ++c) sum += from[c] * from[c], plain += from[c];
  const float square = sum / cols, level = plain / cols;
  const bool known = fabsf(square - 1) < 1e-4f && fabsf(level) < 1e-6f && level != 0;
  const float scale = known ? 1.0f : rsqrtf(square + 1e-6f);
  for (int c = 0; c < cols; ++c) y[(size_t)row * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  normed_already<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
