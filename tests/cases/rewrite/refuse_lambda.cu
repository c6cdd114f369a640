// KERNEL: apply
// BLOCK: 256
// REFUSE: wide-access: the source does not show the effects @ 7
// REFUSE: block-size: the source does not show the effects @ 7
__global__ void apply(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto twice = [](float v) { return 2 * v; };
  if (i < n) y[i] = twice(y[i]);
}
