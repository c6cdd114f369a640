// KERNEL: scan_rows
// BLOCK: 128
// REFUSE: warp-per-row: 'sum' is carried from column to column @ 9
__global__ void scan_rows(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) {
    sum += x[row * cols + c];
    y[row * cols + c] = sum;
  }
}
