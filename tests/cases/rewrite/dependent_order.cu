// KERNEL: chain
// BLOCK: 256
// ACCEPT: wide-access
// HAS: if (!cupilot::Launch::disjoint(y, items * sizeof(*y), x, items * sizeof(*x))) return false;
// x is read after y was written: were they the same array, the order would matter.
__global__ void chain(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = 1.f;
  y[i] = y[i] + x[i];
}
