// KERNEL: argmax
// BLOCK: 128
// REFUSE: warp-per-row: 'at' is carried from column to column @ 13
// ACCEPT: block-size
__global__ void argmax(const float *x, int *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int at = 0;
  float best = x[row * cols];
  for (int c = 1; c < cols; ++c) {
    if (x[row * cols + c] > best) {
      best = x[row * cols + c];
      at = c;
    }
  }
  out[row] = at;
}
