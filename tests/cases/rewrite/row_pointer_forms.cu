// KERNEL: row_sums
// BLOCK: 64
// ACCEPT: warp-per-row,wide-access
// HAS: reinterpret_cast<const Vector<float, kVector> &>(x[(size_t)row * cols + first])
// HAS: if (lane == 0) sums[row] = sum;
// LACKS: kStage
__global__ void row_sums(const float *x, float *sums, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.f;
  for (int c = 0; c < cols; ++c) sum = fmaf(0.5f, __ldg(&x[(size_t)row * cols + c]), sum);
  sums[row] = sum;
}
