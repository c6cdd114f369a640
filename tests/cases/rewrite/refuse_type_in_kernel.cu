// KERNEL: named_type
// BLOCK: 256
// REFUSE: grid-stride: something other than a variable is declared in the kernel @ 6
// REFUSE: block-size: something other than a variable is declared in the kernel @ 6
__global__ void named_type(const float *x, float *y) {
  using Number = float;
  __shared__ Number part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = part[255 - threadIdx.x];
}
