// KERNEL: edge
// BLOCK: 256
// REFUSE: grid-stride: threads can return before a barrier @ 7
__global__ void edge(float *y, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = y[i];
  __syncthreads();
  y[i] = tile[255 - threadIdx.x];
}
