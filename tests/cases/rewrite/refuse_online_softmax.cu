// KERNEL: online
// BLOCK: 128
// REFUSE: warp-per-row: depends on their order
__global__ void online(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float m = x[row * cols], sum = 0;
  for (int c = 0; c < cols; ++c) {
    float next = fmaxf(m, x[row * cols + c]);
    sum = sum * expf(m - next) + expf(x[row * cols + c] - next);
    m = next;
  }
  for (int c = 0; c < cols; ++c) y[row * cols + c] = expf(x[row * cols + c] - m) / sum;
}
