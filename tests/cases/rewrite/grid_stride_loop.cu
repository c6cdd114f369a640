// KERNEL: gelu
// BLOCK: 128
// ACCEPT: wide-access,block-size,grid-stride
// LACKS: items > threads
// HAS: gelu_item(size_t i, const float &x_i, float *__restrict__ y)
// ACCEPT: block-size
// HAS: stride = threads_x
__device__ float gelu_one(float v) { return 0.5f * v * (1.f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))); }
__global__ void gelu(const float *__restrict__ x, float *__restrict__ y, size_t n) {
  size_t stride = gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    if (x[i] == 0.f) {
      y[i] = 0.f;
      continue;
    }
    y[i] = gelu_one(x[i]);
  }
}
