// KERNEL: rms_norm
// BLOCK: 256
// ACCEPT: warp-per-row
// RUN: kTeam=256
// RUN: kTeam=32
// HAS: for (int c = lane; c < cols; c += kTeam)
// HAS: sum = team_sum(sum);
// ACCEPT: warp-per-row,wide-access
// RUN: kTeam=256
// RUN: kTeam=32,kWidth=8,kStage=8
// HAS: x_row[k].item[e]
// ACCEPT: warp-per-row,wide-access,block-size
// RUN: kTeam=32,kThreads=64,kStage=8
// RUN: kTeam=1024,kStage=1
// ACCEPT: block-size
// RUN: kThreads=64
__global__ void rms_norm(const float *x, const float *w, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < cols; ++c) {
    float v = x[row * cols + c];
    sum += v * v;
  }
  float scale = rsqrtf(sum / cols + 1e-6f);
  // scaled by the learned weights
  for (int c = 0; c < cols; ++c) y[row * cols + c] = x[row * cols + c] * scale * w[c];
}
#ifdef CUPILOT_EMULATED
void check() {
  for (const int rows : {1, 5, 9})
    for (const int cols : {1, 31, 64, 100, 1000}) {
      const auto x = emulated::numbers<float>(rows * cols, 1), w = emulated::numbers<float>(cols, 2);
      std::vector<float> want(rows * cols), got(rows * cols);
      const dim3 grid(1), block(256);
      emulated::launch(grid, block, [&] { rms_norm(x.data(), w.data(), want.data(), rows, cols); });
      emulated::expect(cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), x.data(), w.data(), got.data(), rows, cols), "refused");
      emulated::compare(want, got, 1e-5);
    }
}
#endif
