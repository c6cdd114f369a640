// KERNEL: rms_norm
// BLOCK: 256
// ACCEPT: warp-per-row
// HAS: for (int c = lane; c < cols; c += kTeam)
// HAS: sum = team_sum(sum);
// ACCEPT: warp-per-row,wide-access
// HAS: x_row[k].item[e]
// ACCEPT: warp-per-row,wide-access,block-size
// ACCEPT: block-size
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
