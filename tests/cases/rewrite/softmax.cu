// KERNEL: softmax
// BLOCK: 128
// ACCEPT: warp-per-row
// RUN: kTeam=128
// HAS: row_max = team_fmaxf(row_max);
// ACCEPT: warp-per-row,wide-access,block-size
// RUN: kTeam=256
// RUN: kTeam=32,kStage=8,kWidth=8
// HAS: if (c < 1) continue;
// HAS: y_row[k].item[e2] = e;
// LACKS: Vector<float, kVector> y_part
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const float *xr = x + row * cols;
    float row_max = xr[0];
    for (int c = 1; c < cols; c++) row_max = fmaxf(row_max, xr[c]);
    float total = 0.f;
    for (int c = 0; c < cols; c++) {
      float e = expf(xr[c] - row_max);
      y[row * cols + c] = e;
      total += e;
    }
    for (int c = 0; c < cols; c++) y[row * cols + c] /= total;
  }
}
#ifdef CUPILOT_EMULATED
void check() {
  for (const int rows : {1, 5, 9})
    for (const int cols : {1, 31, 64, 100, 1000}) {
      const auto x = emulated::numbers<float>(rows * cols, 1), w = emulated::numbers<float>(cols, 2);
      std::vector<float> want(rows * cols), got(rows * cols);
      const dim3 grid(1), block(128);
      emulated::launch(grid, block, [&] { softmax(x.data(), want.data(), rows, cols); });
      emulated::expect(cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), x.data(), got.data(), rows, cols), "refused");
      emulated::compare(want, got, 1e-5);
    }
}
#endif
