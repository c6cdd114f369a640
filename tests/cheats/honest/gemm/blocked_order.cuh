// SPDX-License-Identifier: Apache-2.0
// Four outputs a thread; the depth in blocks of eight whose sums are added.
__global__ void blocked(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = (blockIdx.y * 8 + threadIdx.y) * 4;
  if (column >= n) return;
  float sums[4] = {};
  for (int i = 0; i < k; i += 8) {
    float parts[4] = {};
    for (int j = i; j < min(i + 8, k); ++j)
      for (int r = 0; r < 4; ++r)
        if (row + r < m) parts[r] += a[(size_t)(row + r) * k + j] * b[(size_t)j * n + column];
    for (int r = 0; r < 4; ++r) sums[r] += parts[r];
  }
  for (int r = 0; r < 4; ++r)
    if (row + r < m) c[(size_t)(row + r) * n + column] = sums[r];
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  blocked<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 8), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
