// KERNEL: masked
// BLOCK: 256
// REFUSE: wide-access,block-size: 'y': it is written under a condition only
// ACCEPT: block-size
// ACCEPT: grid-stride
__global__ void masked(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (y[i] > 0) y[i] = 0;
  }
}
