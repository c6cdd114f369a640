// SPDX-License-Identifier: Apache-2.0
// Tiles in shared memory, two of them in turn, with edges filled by zeros.
__global__ void tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float left[2][16][17], right[2][16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  const auto fetch = [&](int stage, int i) {
    left[stage][ty][tx] = row < m && i + tx < k ? a[(size_t)row * k + i + tx] : 0;
    right[stage][ty][tx] = column < n && i + ty < k ? b[(size_t)(i + ty) * n + column] : 0;
  };
  fetch(0, 0);
  __syncthreads();
  float sum = 0;
  for (int i = 0, stage = 0; i < k; i += 16, stage ^= 1) {
    if (i + 16 < k) fetch(stage ^ 1, i + 16);
    for (int j = 0; j < 16; ++j) sum += left[stage][ty][j] * right[stage][j][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  tiles<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
