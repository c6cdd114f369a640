// KERNEL: shift
// BLOCK: 128
// REFUSE: warp-per-row: lanes would interfere with each other
__global__ void shift(float *x, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int c = 1; c < cols; ++c) x[row * cols + c] = x[row * cols + c - 1];
}
