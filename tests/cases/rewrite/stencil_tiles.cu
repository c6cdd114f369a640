// KERNEL: stencil
// BLOCK: 64
// ACCEPT: grid-stride
// HAS: kTilesX = 2;  // knob: 1 2 4 8
// HAS: float fetched[kParts];
// RUN: kTilesX=2
// RUN: kTilesX=8
// REFUSE: grid-stride,block-size: rows of threads can be distributed only
// REFUSE: pad-shared: no shared array of two or more dimensions
__global__ void stencil(const float *x, float *y, int n) {
  __shared__ float tile[66];
  const int t = threadIdx.x + 1;
  const int i = blockIdx.x * 64 + threadIdx.x;
  // the block's own elements, then its two neighbours
  tile[t] = i < n ? x[i] : 0.f;
  if (threadIdx.x == 0) tile[0] = i > 0 ? x[i - 1] : 0.f;
  if (threadIdx.x == 63) {
    tile[65] = i + 1 < n ? x[i + 1] : 0.f;
  }
  __syncthreads();
  if (i < n) y[i] = tile[t - 1] + tile[t] + tile[t + 1];
}
#ifdef CUPILOT_EMULATED
void check() {
  for (const int n : {1, 64, 300, 1000}) {
    const auto x = emulated::numbers<float>(n, 1);
    std::vector<float> want(n), got(n);
    const dim3 grid((n + 63) / 64), block(64);
    emulated::launch(grid, block, [&] { stencil(x.data(), want.data(), n); });
    emulated::expect(cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), x.data(), got.data(), n), "refused");
    emulated::compare(want, got);
  }
}
#endif
