// The plain kernel with blocks of 512 threads.
constexpr int kBlock = 512;  // knob: 128 256 512 1024

__global__ void __launch_bounds__(kBlock) softmax_block(const float *x, float *y, int cols) {
  __shared__ float parts[kBlock];
  const int thread = threadIdx.x;
  const float *from = x + (size_t)blockIdx.x * cols;
  float *to = y + (size_t)blockIdx.x * cols;

  float top = -INFINITY;
  for (int c = thread; c < cols; c += kBlock) top = fmaxf(top, from[c]);
  parts[thread] = top;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] = fmaxf(parts[thread], parts[thread + half]);
    __syncthreads();
  }
  top = parts[0];
  __syncthreads();

  float sum = 0;
  for (int c = thread; c < cols; c += kBlock) sum += expf(from[c] - top);
  parts[thread] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  sum = parts[0];
  for (int c = thread; c < cols; c += kBlock) to[c] = expf(from[c] - top) / sum;
}

bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  if (rows < 1) return false;
  softmax_block<<<rows, kBlock, 0, l.stream>>>(x, y, cols);
  return true;
}
