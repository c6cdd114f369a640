// KERNEL: add
// BLOCK: 16,16
// ACCEPT: block-size
// RUN: kThreads=64
// HAS: blockIdx.x * 32 + threadIdx.x
__global__ void add(const float *a, float *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[y * w + x] += a[y * w + x];
}
#ifdef CUPILOT_EMULATED
void check() {
  const int w = 70, h = 37;
  const auto a = emulated::numbers<float>(w * h, 1);
  auto want = emulated::numbers<float>(w * h, 2), got = want;
  const dim3 grid(5, 3), block(16, 16);
  emulated::launch(grid, block, [&] { add(a.data(), want.data(), w, h); });
  emulated::expect(cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), a.data(), got.data(), w, h), "refused");
  emulated::compare(want, got);
}
#endif
