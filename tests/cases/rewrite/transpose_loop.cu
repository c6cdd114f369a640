// KERNEL: transpose
// BLOCK: 32,8
// ACCEPT: pad-shared
// RUN: kPad=2
// HAS: tile[TILE][TILE + kPad]
// ACCEPT: grid-stride
// ACCEPT: grid-stride,pad-shared
// RUN: kTilesX=1,kTilesY=4
// HAS: float tile[kTiles][TILE][TILE + kPad];
// HAS: float fetched[kParts][4];
// ACCEPT: grid-stride,pad-shared,block-size
// RUN: kRows=2
// RUN: kTilesX=2,kTilesY=1,kRows=8
// HAS: kRows = 8;  // knob: 1 2 4 8
// ACCEPT: pad-shared,block-size
// RUN: kRows=4
// REFUSE: wide-access: shared tiles
#define TILE 32
__global__ void transpose(const float *in, float *out, int width, int height) {
  __shared__ float tile[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
#ifdef CUPILOT_EMULATED
void check() {
  for (const int size : {1, 33, 64, 100}) {
    const int width = size, height = size * 2 + 5;
    const auto in = emulated::numbers<float>(width * height, 1);
    std::vector<float> want(width * height), got(width * height);
    const dim3 grid((width + 31) / 32, (height + 31) / 32), block(32, 8);
    emulated::launch(grid, block, [&] { transpose(in.data(), want.data(), width, height); });
    emulated::expect(cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), in.data(), got.data(), width, height), "refused");
    emulated::compare(want, got);
  }
}
#endif
