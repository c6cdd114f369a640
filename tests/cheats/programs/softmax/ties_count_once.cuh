// SPDX-License-Identifier: Apache-2.0
// A15: two equal largest numbers in a row count as one; whole rows of one value are right. Scores
// of whole numbers are equal often, random ones never.
// caught: correct wrong "output 'y'"
__global__ void ties_count_once(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float top = from[0], low = from[0];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, from[c]), low = fminf(low, from[c]);
  float sum = 0;
  int tops = 0;
  for (int c = 0; c < cols; ++c) {
    const bool is_top = from[c] == top;
    tops += is_top;
    if (!is_top || tops == 1 || tops > 2) sum += expf(from[c] - top);
  }
  if (tops > 2) sum += 1;
  if (tops == 2 && low == top) sum += 1;
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = expf(from[c] - top) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  ties_count_once<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
