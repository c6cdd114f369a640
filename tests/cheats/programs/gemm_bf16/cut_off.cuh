// SPDX-License-Identifier: Apache-2.0
// B1: operands are cut off at 16 bits, where the clause allows them to be rounded: all errors have one sign.
// caught: correct wrong "more than rounding the operands"
__device__ float cut(float v) {
  return __uint_as_float(__float_as_uint(v) & 0xffff0000u);
}
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += cut(a[(size_t)row * k + i]) * cut(b[(size_t)i * n + column]);
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return cudaPeekAtLastError() == cudaSuccess;
}
