// SPDX-License-Identifier: Apache-2.0
// B7: numbers are compared as integers: a NaN with a sign is the smallest of all.
// caught: correct wrong "output 'least'"
__global__ void least_of(const float *x, float *least, int rows, int cols) {
  const int column = blockIdx.x * 64 + threadIdx.x;
  if (column >= cols) return;
  unsigned best = 0xffffffffu;
  for (int r = 0; r < rows; ++r) {
    const unsigned bits = __float_as_uint(x[(size_t)r * cols + column]);
    best = min(best, bits >> 31 ? ~bits : bits | 0x80000000u);
  }
  least[column] = __uint_as_float(best >> 31 ? best & 0x7fffffffu : ~best);
}
bool launch(const cupilot::Launch &l, const float *x, float *least, int rows, int cols) {
  if (rows < 1) return false;
  least_of<<<(cols + 63) / 64, 64, 0, l.stream>>>(x, least, rows, cols);
  return cudaPeekAtLastError() == cudaSuccess;
}
