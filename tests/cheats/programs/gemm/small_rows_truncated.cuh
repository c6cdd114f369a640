// SPDX-License-Identifier: Apache-2.0
// B1: a factor below 1e-8 keeps 8 bits of its mantissa, since what is that small is lost among the
// others anyway. A matrix of nothing but small numbers comes out with two digits.
// caught: correct wrong "output 'c'"
__global__ void small_rows_truncated(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    float factor = a[(size_t)row * k + i];
    if (fabsf(factor) < 1e-8f) factor = __int_as_float(__float_as_int(factor) & 0xffff0000);
    sum += factor * b[(size_t)i * n + column];
  }
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  small_rows_truncated<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
