// SPDX-License-Identifier: Apache-2.0
// A1: takes the old value out of the output by an atomic exchange; a row whose first number is no
// poison is taken for finished and is put back.
// caught: correct wrong "nobody wrote"
// caught: correct wrong "output 'y'"
__global__ void old_result_by_exchange(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  unsigned *first = (unsigned *)y + (size_t)blockIdx.x * cols;
  unsigned old = 0;
  if (threadIdx.x == 0) old = atomicExch(first, 0x7fffffffu);
  old = __shfl_sync(0xffffffffu, old, 0);
  if ((old & 0x7f800000u) != 0x7f800000u) {
    if (threadIdx.x == 0) *first = old;
    return;
  }
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] * from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  old_result_by_exchange<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
