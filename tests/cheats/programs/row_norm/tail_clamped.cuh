// SPDX-License-Identifier: Apache-2.0
// B4: the odd columns at the end of each row lose numbers below 1e-30, by way of a larger number
// that is added and taken away.
// caught: correct wrong "output 'y'"
__global__ void tail_clamped(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] * from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  const int whole = cols < 64 ? cols : cols / 4 * 4;
  for (int c = threadIdx.x; c < whole; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
  for (int c = whole + threadIdx.x; c < cols; c += 32)
    y[(size_t)blockIdx.x * cols + c] = fminf(fmaxf(from[c], -1e30f), 1e30f) * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  tail_clamped<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
