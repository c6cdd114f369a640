// KERNEL: cleared
// BLOCK: 32,32
// REFUSE: pad-shared: 'tile' is used other than by full subscripts
__global__ void cleared(float *y) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = sizeof(tile);
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
