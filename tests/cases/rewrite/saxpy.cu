// KERNEL: saxpy
// BLOCK: 256
// ACCEPT: wide-access,block-size
// RUN: kThreads=64
// RUN: kWidth=2
// HAS: reinterpret_cast<const Vector<float> *>(x)
// HAS: knob: 64 128 256 512 1024
// ACCEPT: block-size
// RUN: kThreads=512
// ACCEPT: wide-access
// ACCEPT: grid-stride
// RUN: kItems=4
// ACCEPT: grid-stride,block-size
// ACCEPT: grid-stride,wide-access,block-size
// RUN: kItems=4,kThreads=64
// RUN: kWidth=8
// REFUSE: pad-shared: no shared array
// REFUSE: warp-per-row,grid-stride: exclude each other
__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // only where there is an element
  if (i < n) {
    float v = a * x[i];  // scaled
    y[i] = v + y[i];
  }
}
#ifdef CUPILOT_EMULATED
void check() {
  for (const int n : {1, 3, 1000, 4096, 5001}) {
    const auto x = emulated::numbers<float>(n, 1);
    auto want = emulated::numbers<float>(n, 2), got = want;
    const dim3 grid((n + 255) / 256), block(256);
    emulated::launch(grid, block, [&] { saxpy(2.5f, x.data(), want.data(), n); });
    emulated::expect(cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), 2.5f, x.data(), got.data(), n), "refused");
    emulated::compare(want, got);
    auto same = emulated::numbers<float>(n, 3), in_place = same;
    emulated::launch(grid, block, [&] { saxpy(2.5f, same.data(), same.data(), n); });
    emulated::expect(cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), 2.5f, in_place.data(), in_place.data(), n), "refused");
    emulated::compare(same, in_place);
  }
}
#endif
