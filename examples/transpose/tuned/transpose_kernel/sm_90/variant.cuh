// cupilot variant of transpose_kernel for sm_90 (record 1fa594e1): several tiles a block, all fetched before the barrier, padded shared rows
constexpr int kTilesX = 2;  // knob: 1 2
constexpr int kTilesY = 2;  // knob: 1 2 4
constexpr int kPad = 1;  // knob: 0 1 2

constexpr int kTiles = kTilesX * kTilesY;
constexpr int kParts = kTiles;
constexpr int kThreads = 32 * 8;

__global__ void __launch_bounds__(kThreads) transpose_kernel_tiles(const float *in, float *out, int width, int height, dim3 grid) {
  __shared__ float tile[kTiles][kTile][kTile + kPad];
  // Everything is under way before the first of it is stored.
  float fetched[kParts][4];
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    const int tile2 = part;
    const unsigned block_x = blockIdx.x * kTilesX + tile2 % kTilesX;
    const unsigned block_y = blockIdx.y * kTilesY + tile2 / kTilesX;
    if (block_x >= grid.x || block_y >= grid.y) continue;
    int x = block_x * kTile + threadIdx.x;
    int y = block_y * kTile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < kTile; j += kRows)
      if (x < width && y + j < height) fetched[part][j / 8] = in[(y + j) * width + x];
  }
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    const int tile2 = part;
    const unsigned block_x = blockIdx.x * kTilesX + tile2 % kTilesX;
    const unsigned block_y = blockIdx.y * kTilesY + tile2 / kTilesX;
    if (block_x >= grid.x || block_y >= grid.y) continue;
    int x = block_x * kTile + threadIdx.x;
    int y = block_y * kTile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < kTile; j += kRows)
      if (x < width && y + j < height) tile[tile2][threadIdx.y + j][threadIdx.x] = fetched[part][j / 8];
  }
  __syncthreads();
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    const int tile2 = part;
    const unsigned block_x = blockIdx.x * kTilesX + tile2 % kTilesX;
    const unsigned block_y = blockIdx.y * kTilesY + tile2 / kTilesX;
    if (block_x >= grid.x || block_y >= grid.y) continue;
    int x = block_y * kTile + threadIdx.x;
    int y = block_x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
      if (x < height && y + j < width) out[(y + j) * height + x] = tile[tile2][threadIdx.x][threadIdx.y + j];
  }
}

bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  if (l.block.x != 32 || l.block.y != 8 || l.block.z != 1) return false;
  const dim3 blocks((l.grid.x + kTilesX - 1) / kTilesX, (l.grid.y + kTilesY - 1) / kTilesY, l.grid.z);
  transpose_kernel_tiles<<<blocks, l.block, 0, l.stream>>>(in, out, width, height, l.grid);
  return true;
}
