// KERNEL: gather
// BLOCK: 128
// REFUSE: warp-per-row: may overlap
__global__ void gather(const float *x, const int *at, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int c = 0; c < cols; ++c) y[row * cols + c] = x[at[c]];
}
