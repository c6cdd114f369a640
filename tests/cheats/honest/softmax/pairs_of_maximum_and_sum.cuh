// SPDX-License-Identifier: Apache-2.0
// A structure of maximum and sum with a member that merges two of them.
struct Running {
  float top = -INFINITY, sum = 0;
  __device__ static float scaled(float value, float from, float to) {
    return from == to ? value : value * expf(from - to);
  }
  __device__ void merge(float other_top, float other_sum) {
    const float larger = fmaxf(top, other_top);
    sum = scaled(sum, top, larger) + scaled(other_sum, other_top, larger);
    top = larger;
  }
};
__global__ void merged(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  Running mine;
  for (int c = lane; c < cols; c += 32)
    mine.merge(from[c], from[c] == -INFINITY ? 0 : expf(from[c] - from[c]));
  for (int step = 16; step > 0; step /= 2)
    mine.merge(__shfl_xor_sync(~0u, mine.top, step), __shfl_xor_sync(~0u, mine.sum, step));
  for (int c = lane; c < cols; c += 32) y[(size_t)row * cols + c] = expf(from[c] - mine.top) / mine.sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  merged<<<(rows + 1) / 2, 64, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
