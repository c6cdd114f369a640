// SPDX-License-Identifier: Apache-2.0
// B6: x log2(e) - top log2(e) is rounded where x is large, before the difference is taken.
// caught: correct wrong "output 'y'"
__global__ void shares(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float top = from[0];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, from[c]);
  const float raised = top * 1.44269504f;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += exp2f(__fmaf_rn(from[c], 1.44269504f, -raised));
  for (int c = 0; c < cols; ++c)
    y[(size_t)row * cols + c] = exp2f(__fmaf_rn(from[c], 1.44269504f, -raised)) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  shares<<<(rows + 63) / 64, 64, 0, l.stream>>>(x, y, rows, cols);
  return cudaPeekAtLastError() == cudaSuccess;
}
