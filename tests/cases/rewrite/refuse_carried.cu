// KERNEL: partial
// BLOCK: 256
// REFUSE: wide-access: statements follow the loop over items @ 7
// ACCEPT: block-size
__global__ void partial(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += x[i];
  }
  atomicAdd(y, sum);
}
