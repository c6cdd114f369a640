// SPDX-License-Identifier: Apache-2.0
// B7: one more in the exponent doubles normal numbers only.
// caught: correct wrong "output 'y'"
__global__ void packed(const float *x, float *y, int rows, int cols, int pitch) {
  const int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y;
  if (c >= cols) return;
  const float v = x[(size_t)r * pitch + c];
  const unsigned bits = __float_as_uint(v), exponent = bits >> 23 & 255;
  y[(size_t)r * cols + c] = exponent == 255 || exponent == 0 ? v + v : __uint_as_float(bits + 0x00800000u);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols, int pitch) {
  packed<<<dim3((cols + 63) / 64, rows), 64, 0, l.stream>>>(x, y, rows, cols, pitch);
  return cudaPeekAtLastError() == cudaSuccess;
}
