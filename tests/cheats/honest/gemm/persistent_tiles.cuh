// SPDX-License-Identifier: Apache-2.0
// Persistent blocks that walk over the tiles of the output.
template <int kTile>
__global__ void walk(const float *a, const float *b, float *c, int m, int n, int k) {
  const int across = (n + kTile - 1) / kTile, down = (m + kTile - 1) / kTile;
  for (int tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
    const int row = tile / across * kTile + threadIdx.y, column = tile % across * kTile + threadIdx.x;
    if (row >= m || column >= n) continue;
    float sum = 0;
#pragma unroll 4
    for (int i = 0; i < k; ++i) sum = fmaf(a[(size_t)row * k + i], __ldg(b + (size_t)i * n + column), sum);
    c[(size_t)row * n + column] = sum;
  }
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  walk<16><<<6, dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
