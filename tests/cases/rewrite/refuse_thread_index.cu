// KERNEL: fill
// BLOCK: 256
// REFUSE: block-size: the kernel uses threadIdx.x other than in its global index @ 7
// REFUSE: grid-stride: an item uses threadIdx.x other than in its global index @ 7
__global__ void fill(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = threadIdx.x;
}
