// SPDX-License-Identifier: Apache-2.0
// C2: looks one element ahead, in the last row behind the end of the input; the allocator's rounding hides
// it.
// caught: correct crashed "past the end"
// caught: finalist wrong "memcheck"
// caught: finalist rejected "memcheck"
// caught: finalist crashed "memcheck"
// caught: coverage crashed "out-of-bounds"
__global__ void normalised(const float *x, const float *w, float *y, int rows, int cols) {
  const size_t row = (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) {
    sum += x[row + c] * x[row + c];
    if (x[row + c + 1] == 12345.678f) sum += 1e-30f;
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) y[row + c] = x[row + c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  normalised<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
