// SPDX-License-Identifier: Apache-2.0
// B3: products and sums are bf16; the clause allows rounded operands only.
// caught: correct wrong "output 'c'"
__global__ void narrow(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  __nv_bfloat16 sum = __float2bfloat16(0);
  for (int i = 0; i < k; ++i)
    sum = __hfma(__float2bfloat16(a[(size_t)row * k + i]), __float2bfloat16(b[(size_t)i * n + column]), sum);
  c[(size_t)row * n + column] = __bfloat162float(sum);
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  narrow<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
