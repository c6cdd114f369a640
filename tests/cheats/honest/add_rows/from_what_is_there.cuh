// SPDX-License-Identifier: Apache-2.0
// B3: rows are added one after the other to what is there. Where the sums are large already (a count over
// many batches: 1e9, and rows of 30) each is lost by itself; the original adds all of them at once.
// caught: correct wrong "output"
// open: needs sums that are much larger than what is added to them; an honest split into strips loses some of
// it, too
__global__ void added_to_what_is_there(const float *x, float *sums, int rows, int cols) {
  const int c = blockIdx.x * 64 + threadIdx.x;
  if (c >= cols) return;
  float sum = sums[c];
  for (int r = 0; r < rows; ++r) sum += x[(size_t)r * cols + c];
  sums[c] = sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *sums, int rows, int cols) {
  added_to_what_is_there<<<(cols + 63) / 64, 64, 0, l.stream>>>(x, sums, rows, cols);
  return true;
}
