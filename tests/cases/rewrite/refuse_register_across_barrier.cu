// KERNEL: halves
// BLOCK: 256
// REFUSE: grid-stride: 'v' keeps data in a register across a barrier
__global__ void halves(float *y) {
  __shared__ float tile[256];
  float v = y[blockIdx.x * 256 + threadIdx.x];
  tile[threadIdx.x] = v;
  __syncthreads();
  y[blockIdx.x * 256 + threadIdx.x] = v + tile[255 - threadIdx.x];
}
