// KERNEL: nn::layer_norm
// BLOCK: 64
// ACCEPT: warp-per-row,wide-access
// HAS: if (lane == 0) mean[row] = m;
// HAS: gamma_part
// ACCEPT: warp-per-row
#include <cuda_fp16.h>
namespace nn {
__device__ inline float squared(float v) { return v * v; }
__global__ void layer_norm(const __half *__restrict__ x, const float *__restrict__ gamma, const float *__restrict__ beta,
                           __half *__restrict__ y, float *__restrict__ mean, int rows, size_t cols) {
  size_t row = threadIdx.x + blockIdx.x * blockDim.x;
  if (row >= rows) return;
  float m = 0;
  for (size_t c = 0; c < cols; ++c) m += __half2float(x[row * cols + c]);
  m = m / cols;
  float v = 0;
  for (size_t c = 0; c < cols; ++c) v += squared(__half2float(x[row * cols + c]) - m);
  const float scale = rsqrtf(v / cols + 1e-5f);
  for (size_t c = 0; c < cols; ++c)
    y[row * cols + c] = __float2half((__half2float(x[row * cols + c]) - m) * scale * gamma[c] + beta[c]);
  mean[row] = m;
}
}  // namespace nn
