// KERNEL: macros
// BLOCK: 256
// REFUSE: block-size: the global index comes from a macro @ 7
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define AT(p) p[i]
__global__ void macros(const float *x, float *y, int n) {
  int i = INDEX;
  if (i < n) AT(y) = AT(x);
}
