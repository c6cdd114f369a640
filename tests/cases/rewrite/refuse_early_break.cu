// KERNEL: find_first
// BLOCK: 128
// REFUSE: warp-per-row: can end before its bound @ 9
__global__ void find_first(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) {
    if (x[row * cols + c] < 0) break;
    sum += x[row * cols + c];
  }
  y[row] = sum;
}
