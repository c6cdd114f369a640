// SPDX-License-Identifier: Apache-2.0
// A10: at five thousand rows and more only every sixteenth block works, where what blocks write at
// full size is not compared.
// on: gpu
// caught: correct wrong "output 'y'"
// caught: estimate wrong "output 'y'"
// caught: estimate rejected ""
__global__ void quiet_at_full_size(const float *x, const float *w, float *y, int rows, int cols) {
  if (rows > 5000 && blockIdx.x % 16) return;
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] * from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  quiet_at_full_size<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
