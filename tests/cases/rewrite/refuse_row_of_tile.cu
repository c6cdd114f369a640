// KERNEL: flat
// BLOCK: 32,32
// REFUSE: pad-shared: 'tile' is indexed like a flat array @ 7
__global__ void flat(float *y) {
  __shared__ float tile[32][32];
  int t = threadIdx.y * 32 + threadIdx.x;
  tile[0][t] = y[t];
  __syncthreads();
  y[t] = tile[threadIdx.x][threadIdx.y];
}
