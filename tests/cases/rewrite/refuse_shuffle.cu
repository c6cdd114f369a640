// KERNEL: warp_sum
// BLOCK: 256
// REFUSE: block-size: threads cooperate here (__shfl_down_sync) @ 8
// REFUSE: wide-access: threads cooperate here (__shfl_down_sync) @ 8
// REFUSE: warp-per-row: threads cooperate here
__global__ void warp_sum(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] + __shfl_down_sync(~0u, x[i], 1);
}
