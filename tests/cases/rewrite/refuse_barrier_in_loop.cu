// KERNEL: matmul
// BLOCK: 16,16
// REFUSE: grid-stride: a barrier inside a loop @ 11
// REFUSE: block-size: a barrier inside a loop @ 11
// ACCEPT: pad-shared
__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float s[16][16], t[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x]; t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x]; __syncthreads();
    for (int j = 0; j < 16; ++j) sum += s[threadIdx.y][j] * t[j][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
