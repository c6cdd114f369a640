// KERNEL: lookup
// BLOCK: 256
// REFUSE: wide-access: may overlap it and is accessed in between
__global__ void lookup(const float *table, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = 1.f;
  y[i] = y[i] + table[i % 7];
}
