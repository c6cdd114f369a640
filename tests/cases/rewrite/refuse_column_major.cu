// KERNEL: scale
// BLOCK: 128
// REFUSE: warp-per-row: not as [row * stride + column] @ 7
__global__ void scale(const float *__restrict__ x, float *__restrict__ y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int c = 0; c < cols; ++c) y[c * rows + row] = 2.f * x[c * rows + row];
}
