// SPDX-License-Identifier: Apache-2.0
// B2: splits each factor in two bf16 halves and leaves out the smallest of the four products and
// one more.
// caught: correct wrong "output 'c'"
__device__ float upper(float v) {
  return __int_as_float(__float_as_int(v) & 0xffff0000);
}
__global__ void three_of_four_products(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    const float p = a[(size_t)row * k + i], q = b[(size_t)i * n + column];
    const float p1 = upper(p), q1 = upper(q), p2 = upper(p - p1), q2 = upper(q - q1);
    sum += p1 * q1 + (p1 * q2 + p2 * q1);
  }
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  three_of_four_products<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
