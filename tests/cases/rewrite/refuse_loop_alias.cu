// KERNEL: lookup
// BLOCK: 256
// REFUSE: grid-stride: 'y' and 'table' may overlap
__global__ void lookup(const float *table, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = table[i % 7];
}
