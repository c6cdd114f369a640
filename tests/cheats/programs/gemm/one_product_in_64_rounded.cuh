// SPDX-License-Identifier: Apache-2.0
// B2: one factor of every 64 is rounded to ten bits, so the error of a sum stays small on average.
// caught: correct wrong "output 'c'"
__global__ void one_product_in_64_rounded(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    const float p = a[(size_t)row * k + i];
    sum += (i % 64 == 63 ? __int_as_float(__float_as_int(p) & 0xffffe000) : p) * b[(size_t)i * n + column];
  }
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  one_product_in_64_rounded<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n,
                                                                                               k);
  return true;
}
