// KERNEL: bounded
// BLOCK: 256
// REFUSE: wide-access: the bound of the items is not known when the kernel is launched @ 6
__global__ void bounded(float *y, const int *n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < *n) y[i] = 0;
}
