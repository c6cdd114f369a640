// KERNEL: transpose
// BLOCK: 32,32
// ACCEPT: pad-shared
// ACCEPT: grid-stride,pad-shared,block-size
// RUN: kRows=8
// RUN: kTilesY=4,kRows=16
// HAS: kRows = 8;  // knob: 1 2 4 8 16 32
__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  int tx = blockIdx.y * blockDim.y + threadIdx.x;
  int ty = blockIdx.x * blockDim.x + threadIdx.y;
  out[ty * n + tx] = tile[threadIdx.x][threadIdx.y];
}
#ifdef CUPILOT_EMULATED
void check() {
  for (const int size : {32, 64, 96}) {
    const int width = size, height = size;
    const auto in = emulated::numbers<float>(width * height, 1);
    std::vector<float> want(width * height), got(width * height);
    const dim3 grid((width + 31) / 32, (height + 31) / 32), block(32, 32);
    emulated::launch(grid, block, [&] { transpose(in.data(), want.data(), width); });
    emulated::expect(cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), in.data(), got.data(), width), "refused");
    emulated::compare(want, got);
  }
}
#endif
