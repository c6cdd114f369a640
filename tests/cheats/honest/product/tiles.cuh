// SPDX-License-Identifier: Apache-2.0
// Tiles of 32 by 32 in shared memory, blocks in a snake over the matrix.
__global__ void tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float left[32][33], right[32][33];
  const int across = (n + 31) / 32, line = blockIdx.x / across, at = blockIdx.x % across;
  const int column = (line % 2 ? across - 1 - at : at) * 32 + threadIdx.x;
  const int top = line * 32 + threadIdx.y;
  float sum[4] = {};
  for (int i = 0; i < k; i += 32) {
    for (int r = 0; r < 32; r += 8) {
      const int row = top + r, deep = i + threadIdx.y + r;
      left[threadIdx.y + r][threadIdx.x] =
          row < m && i + threadIdx.x < k ? a[(size_t)row * k + i + threadIdx.x] : 0;
      right[threadIdx.y + r][threadIdx.x] = column < n && deep < k ? b[(size_t)deep * n + column] : 0;
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      for (int r = 0; r < 4; ++r) sum[r] += left[threadIdx.y + 8 * r][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    if (top + 8 * r < m && column < n) c[(size_t)(top + 8 * r) * n + column] = sum[r];
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  if (m <= 0 || n <= 0) return true;
  tiles<<<((n + 31) / 32) * ((m + 31) / 32), dim3(32, 8), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
