// SPDX-License-Identifier: Apache-2.0
// C7: uses the input as its scratch memory and puts the old values back; compared afterwards it is
// unchanged, but whoever reads it meanwhile is not told.
// caught: correct crashed "read-only memory"
// caught: finalist wrong "reads the same inputs"
// caught: coverage crashed "read-only memory"
// caught: correct wrong "as a program may call it"
__global__ void normalised(const float *x, const float *w, float *y, int rows, int cols) {
  const size_t row = (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += x[row + c] * x[row + c];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) {
    volatile float *place = const_cast<float *>(x) + row + c;
    const float old = *place;
    *place = old * scale;
    y[row + c] = *place * w[c];
    *place = old;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  if (x == y) return false;
  normalised<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
