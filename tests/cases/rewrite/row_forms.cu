// KERNEL: row_forms
// BLOCK: 64
// ACCEPT: warp-per-row
// RUN: kTeam=32
// HAS: for (int c = lane; c < cols; c += kTeam)
// HAS: high = team_greatest(high);
// HAS: float sum_part = 0;
// REFUSE: warp-per-row,wide-access: 'x' is used in a loop that can move vectors and in one that cannot @ 16
__global__ void row_forms(float *x, float *__restrict__ highest, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row < rows) {
    float *mine = &x[row * cols];
    float sum = 1.f, high = -1000.f;
    // the shape of the row
    for (int c = 0; c < cols; ++c) {
      sum += fabsf(mine[c]);
      if (mine[c] > high) high = mine[c];
    }
    if (sum == 0) sum = 1;
    for (int c = 0; c < cols; ++c) {
      if (mine[c] < 0) continue;
      mine[c] = mine[c] / sum;
    }
    highest[row] = high;
  }
}
#ifdef CUPILOT_EMULATED
void check() {
  for (const int cols : {1, 6, 64, 200}) {
    const int rows = 11;
    auto want = emulated::numbers<float>(rows * cols, 1), got = want;
    std::vector<float> want_high(rows), got_high(rows);
    emulated::launch(dim3(1), dim3(64), [&] { row_forms(want.data(), want_high.data(), rows, cols); });
    emulated::expect(cupilot_variant::launch(cupilot::Launch(dim3(1), dim3(64), 0, 0), got.data(), got_high.data(), rows, cols), "refused");
    emulated::compare(want, got, 1e-5);
    emulated::compare(want_high, got_high);
  }
}
#endif
