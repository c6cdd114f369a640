// The plain kernel with blocks of 512 threads.
constexpr int kBlock = 512;  // knob: 128 256 512 1024

__global__ void __launch_bounds__(kBlock)
    cross_entropy_block(const float *x, const long long *target, float *row_loss, int classes) {
  __shared__ float parts[kBlock];
  const int row = blockIdx.x, thread = threadIdx.x;
  const float *from = x + (size_t)row * classes;

  float top = -INFINITY;
  for (int c = thread; c < classes; c += kBlock) top = fmaxf(top, from[c]);
  parts[thread] = top;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] = fmaxf(parts[thread], parts[thread + half]);
    __syncthreads();
  }
  top = parts[0];
  __syncthreads();

  float sum = 0;
  for (int c = thread; c < classes; c += kBlock) sum += expf(from[c] - top);
  parts[thread] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  if (thread > 0) return;
  const long long label = target[row];
  const bool known = label >= 0 && label < classes;
  row_loss[row] = known ? logf(parts[0]) + top - from[label] : 0;
}

bool launch(const cupilot::Launch &l, const float *x, const long long *target, float *row_loss, int rows,
            int classes) {
  if (rows < 1) return false;
  cross_entropy_block<<<rows, kBlock, 0, l.stream>>>(x, target, row_loss, classes);
  return true;
}
