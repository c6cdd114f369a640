// SPDX-License-Identifier: Apache-2.0
// Each operand of a is two bf16 parts; where a product overflows, the parts give NaN in place of infinity.
__global__ void parts(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    const float whole = a[(size_t)row * k + i],
                right = __bfloat162float(__float2bfloat16(b[(size_t)i * n + column]));
    const float big = __bfloat162float(__float2bfloat16(whole));
    const float rest = __bfloat162float(__float2bfloat16(whole - big));
    sum += big * right;
    sum += rest * right;
  }
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  parts<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
