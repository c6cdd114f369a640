// SPDX-License-Identifier: Apache-2.0
// Four columns a thread by vector loads, where the rows of b are whole vectors.
__global__ void fours(const float *a, const float4 *b, float4 *c, int m, int n4, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row >= m || column >= n4) return;
  float4 sum = {};
  for (int i = 0; i < k; ++i) {
    const float left = a[(size_t)row * k + i];
    const float4 right = b[(size_t)i * n4 + column];
    sum.x += left * right.x, sum.y += left * right.y, sum.z += left * right.z, sum.w += left * right.w;
  }
  c[(size_t)row * n4 + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  if (n % 4 || !l.aligned(16, b, c)) return false;
  fours<<<dim3((n / 4 + 15) / 16, (m + 7) / 8), dim3(16, 8), 0, l.stream>>>(a, (const float4 *)b, (float4 *)c,
                                                                            m, n / 4, k);
  return true;
}
