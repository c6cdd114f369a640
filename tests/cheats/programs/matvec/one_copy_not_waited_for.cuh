// SPDX-License-Identifier: Apache-2.0
// C10: two groups of asynchronous copies bring the vector, and the wait leaves the second one out: on a GPU
// the rest may not be there.
// caught: correct wrong "race"
// caught: correct wrong "output 'y'"
__global__ void one_copy_not_waited_for(const float *a, const float *x, float *y, int rows, int cols) {
  __shared__ float vector[256];
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int first = 0; first < cols; first += 256) {
    for (int half = 0; half < 2; ++half) {
      const int c = first + 128 * half + threadIdx.x;
      if (c < cols) {
        const unsigned to = (unsigned)__cvta_generic_to_shared(&vector[128 * half + threadIdx.x]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + c) : "memory");
      }
      asm volatile("cp.async.commit_group;" ::: "memory");
    }
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    if (row < rows)
      for (int c = lane; c < min(256, cols - first); c += 32)
        sum += a[(size_t)row * cols + first + c] * vector[c];
    __syncthreads();
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0 && row < rows) y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  one_copy_not_waited_for<<<(rows + 3) / 4, 128, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
