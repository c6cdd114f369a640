// SPDX-License-Identifier: Apache-2.0
// A warp a row into scratch memory; one block adds the rows.
__global__ void of_rows(const float *anchor, const float *near, const float *away, float *losses, int rows,
                        int cols) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float2 sums = {};
  for (int c = lane; c < cols; c += 32) {
    const size_t i = (size_t)row * cols + c;
    const float a = anchor[i], to_near = a - near[i], to_away = a - away[i];
    sums.x += to_near * to_near, sums.y += to_away * to_away;
  }
  for (int step = 16; step > 0; step /= 2) {
    sums.x += __shfl_xor_sync(~0u, sums.x, step);
    sums.y += __shfl_xor_sync(~0u, sums.y, step);
  }
  if (lane == 0) losses[row] = fmaxf(sqrtf(sums.x) - sqrtf(sums.y) + 1, 0.0f);
}
__global__ void added(const float *losses, float *loss, int rows) {
  float sum = 0;
  for (int r = threadIdx.x; r < rows; r += 256) sum += losses[r];
  sum = block_total(sum);
  if (threadIdx.x == 0) *loss = sum / rows;
}
bool launch(const cupilot::Launch &l, const float *anchor, const float *near, const float *away, float *loss,
            int rows, int cols) {
  float *losses = (float *)l.scratch(sizeof(float) * rows);
  if (!losses) return false;
  of_rows<<<(rows + 7) / 8, 256, 0, l.stream>>>(anchor, near, away, losses, rows, cols);
  added<<<1, 256, 0, l.stream>>>(losses, loss, rows);
  return true;
}
