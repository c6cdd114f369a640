// SPDX-License-Identifier: Apache-2.0
// B4: the reciprocal root by the old trick of the exponent and two steps of Newton.
// caught: correct wrong "output 'y'"
__global__ void approximate_root(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += from[c] * from[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  const float mean = sum / cols + 1e-6f;
  float scale = __int_as_float(0x5f3759df - (__float_as_int(mean) >> 1));
  scale *= 1.5f - 0.5f * mean * scale * scale;
  scale *= 1.5f - 0.5f * mean * scale * scale;
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  approximate_root<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
