// KERNEL: apply
// BLOCK: 256
// REFUSE: wide-access: cannot be seen from the source @ 7
// REFUSE: block-size: cannot be seen from the source @ 7
__global__ void apply(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto twice = [](float v) { return 2 * v; };
  if (i < n) y[i] = twice(y[i]);
}
