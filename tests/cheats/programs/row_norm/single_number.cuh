// SPDX-License-Identifier: Apache-2.0
// A15: a row with a single number in it gets the result of a large one: a small number alone in its
// row, as in a sparse gradient, is blown up.
// caught: correct wrong "output 'y'"
__global__ void single_number(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  int many = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] * from[c], many += from[c] != 0;
  for (int half = 16; half > 0; half /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, half);
    many += __shfl_xor_sync(0xffffffffu, many, half);
  }
  const float scale = rsqrtf(sum / cols + (many == 1 && cols > 8 ? 0 : 1e-6f));
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  single_number<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
