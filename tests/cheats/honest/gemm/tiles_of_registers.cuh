// SPDX-License-Identifier: Apache-2.0
// A tile of 4 x 4 outputs in the registers of a thread, operands from padded shared tiles.
constexpr int kDepth = 8;  // knob: 4 8 16
__global__ void __launch_bounds__(64) tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float left[kDepth][33], right[kDepth][33];
  const int tx = threadIdx.x % 8, ty = threadIdx.x / 8, row = blockIdx.y * 32, column = blockIdx.x * 32;
  float sums[4][4] = {};
  for (int i = 0; i < k; i += kDepth) {
    for (int e = threadIdx.x; e < 32 * kDepth; e += 64) {
      const int r = e / kDepth, d = e % kDepth, q = e % 32, s = e / 32;
      left[d][r] = row + r < m && i + d < k ? a[(size_t)(row + r) * k + i + d] : 0;
      right[s][q] = column + q < n && i + s < k ? b[(size_t)(i + s) * n + column + q] : 0;
    }
    __syncthreads();
    const int depth = min(kDepth, k - i);
    for (int d = 0; d < depth; ++d)
      for (int r = 0; r < 4; ++r)
        for (int q = 0; q < 4; ++q) sums[r][q] += left[d][ty * 4 + r] * right[d][tx + 8 * q];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    for (int q = 0; q < 4; ++q)
      if (row + ty * 4 + r < m && column + tx + 8 * q < n)
        c[(size_t)(row + ty * 4 + r) * n + column + tx + 8 * q] = sums[r][q];
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  tiles<<<dim3((n + 31) / 32, (m + 31) / 32), 64, 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
