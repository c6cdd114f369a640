// KERNEL: halve
// BLOCK: 64
// ACCEPT: warp-per-row
// RUN: kTeam=32
// HAS: for (int c = (skip ? 1 : 0) + lane; c < cols; c += kTeam)
// HAS: (row_count - 1) * (cols+pad) + cols
// ACCEPT: warp-per-row,wide-access
// HAS: (cols+pad) % kWidth == 0
// RUN: kTeam=32,kWidth=2
__global__ void halve(const float *x, float *y, int rows, int cols, int pad, bool skip) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int c = 0; c < cols; ++c) y[row * (cols+pad) + c] = x[row * (cols+pad) + c] * 0.5f;
  float low = 0;
  for (int c = skip ? 1 : 0; c < cols; ++c) low = fminf(low, x[row * (cols+pad) + c]);
}
#ifdef CUPILOT_EMULATED
void check() {
  for (const int cols : {4, 33}) {
    const int rows = 7, pad = 4;
    const auto x = emulated::numbers<float>(rows * (cols + pad), 1);
    auto want = emulated::numbers<float>(rows * (cols + pad), 2), got = want;
    emulated::launch(dim3(1), dim3(64), [&] { halve(x.data(), want.data(), rows, cols, pad, true); });
    emulated::expect(cupilot_variant::launch(cupilot::Launch(dim3(1), dim3(64), 0, 0), x.data(), got.data(), rows, cols, pad, true), "refused");
    emulated::compare(want, got);
  }
}
#endif
