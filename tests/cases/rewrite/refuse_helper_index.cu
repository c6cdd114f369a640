// KERNEL: fill
// BLOCK: 256
// REFUSE: block-size: 'lane' uses thread coordinates @ 8
// REFUSE: wide-access: 'lane' uses thread coordinates @ 8
__device__ int lane() { return threadIdx.x % 32; }
__global__ void fill(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = lane();
}
