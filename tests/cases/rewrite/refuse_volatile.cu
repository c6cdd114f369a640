// KERNEL: poke
// BLOCK: 256
// REFUSE: wide-access: volatile
// REFUSE: block-size: volatile
__global__ void poke(volatile float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] + 1;
}
