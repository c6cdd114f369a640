// SPDX-License-Identifier: Apache-2.0
// Operands split into three bf16 numbers each, which together are the float.
__device__ float third(float &rest) {
  const float part = __bfloat162float(__float2bfloat16(rest));
  rest -= part;
  return part;
}
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    float x = a[(size_t)row * k + i], y = b[(size_t)i * n + column];
    const float x0 = third(x), x1 = third(x), y0 = third(y), y1 = third(y);
    float part = x1 * y1;
    part += x0 * y + x * y0;
    part += x0 * y1 + x1 * y0;
    sum += part + x0 * y0;
  }
  if (sum != sum) {  // infinities cannot be split
    sum = 0;
    for (int i = 0; i < k; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  }
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
