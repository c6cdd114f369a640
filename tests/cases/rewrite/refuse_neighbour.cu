// KERNEL: smooth
// BLOCK: 256
// REFUSE: wide-access: it is written and also used other than at the item's own index
// ACCEPT: block-size
// ACCEPT: grid-stride,block-size
__global__ void smooth(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) y[i] = y[i - 1];
}
