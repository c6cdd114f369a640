// SPDX-License-Identifier: Apache-2.0
// B3: products and sums of every tile of 64 are half, the tiles' sums are added in float.
// seeds: 1
// caught: screen rejected "half"
// caught: correct wrong "output 'c'"
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; i += 64) {
    __half part = __float2half(0);
    for (int j = i; j < min(i + 64, k); ++j)
      part = __hfma(__float2half(a[(size_t)row * k + j]), __float2half(b[(size_t)j * n + column]), part);
    sum += __half2float(part);
  }
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
