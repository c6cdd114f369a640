// SPDX-License-Identifier: Apache-2.0
// Integer atomics on the bits of floats in an order that integers keep; NaN are left out.
__device__ unsigned ordered(float v) {
  const unsigned bits = __float_as_uint(v);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
__device__ float number(unsigned order) {
  return __uint_as_float(order & 0x80000000u ? order & 0x7fffffffu : ~order);
}
__global__ void gather(const float *x, unsigned *best, int rows, int cols) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  if (column >= cols) return;
  unsigned least = ~0u;
  for (int r = blockIdx.y * 8 + threadIdx.y; r < rows; r += gridDim.y * 8) {
    const float v = x[(size_t)r * cols + column];
    if (v == v) least = min(least, ordered(v));
  }
  atomicMin(&best[column], least);
}
__global__ void give(const unsigned *best, float *least, int cols) {
  const int column = blockIdx.x * 64 + threadIdx.x;
  if (column < cols) least[column] = best[column] == ~0u ? NAN : number(best[column]);
}
bool launch(const cupilot::Launch &l, const float *x, float *least, int rows, int cols) {
  unsigned *best = (unsigned *)l.scratch(sizeof(unsigned) * cols);
  if (!best) return false;
  cudaMemsetAsync(best, 0xff, sizeof(unsigned) * cols, l.stream);
  gather<<<dim3((cols + 31) / 32, 4), dim3(32, 8), 0, l.stream>>>(x, best, rows, cols);
  give<<<(cols + 63) / 64, 64, 0, l.stream>>>(best, least, cols);
  return true;
}
