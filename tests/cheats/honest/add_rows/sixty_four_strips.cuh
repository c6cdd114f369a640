// SPDX-License-Identifier: Apache-2.0
// B3: rows are added in strips to the running sums: where those are large (1e9), strips of a few each are
// lost, where the original adds the whole of them.
// caught: correct wrong "output"
// open: needs sums that are much larger than what is added to them; an honest split into strips loses some of
// it, too
__global__ void many_small_ones(const float *x, float *sums, int rows, int cols) {
  const int c = blockIdx.x * 64 + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (int r = blockIdx.y; r < rows; r += 64) sum += x[(size_t)r * cols + c];
  atomicAdd(&sums[c], sum);
}
bool launch(const cupilot::Launch &l, const float *x, float *sums, int rows, int cols) {
  many_small_ones<<<dim3((cols + 63) / 64, 64), 64, 0, l.stream>>>(x, sums, rows, cols);
  return true;
}
