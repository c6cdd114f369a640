// SPDX-License-Identifier: Apache-2.0
// Each row is peeled up to its first aligned element, read by vectors, and ended by scalars.
__device__ float greater(float a, float b) {
  return a != a ? a : (b > a || b != b) ? b : a;
}
__global__ void peeled(const float *x, float *top, int rows, int cols) {
  const int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  const int head = min((int)((4 - (size_t)from / 4 % 4) % 4), cols), fours = (cols - head) / 4;
  float best = -INFINITY;
  if (lane < head) best = from[lane];
  for (int c = lane; c < fours; c += 32) {
    const float4 v = ((const float4 *)(from + head))[c];
    best = greater(greater(best, greater(v.x, v.y)), greater(v.z, v.w));
  }
  for (int c = head + 4 * fours + lane; c < cols; c += 32) best = greater(best, from[c]);
  for (int step = 16; step > 0; step /= 2) best = greater(best, __shfl_xor_sync(~0u, best, step));
  if (lane == 0) top[row] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  if (!l.aligned(4, x)) return false;
  peeled<<<(rows + 1) / 2, 64, 0, l.stream>>>(x, top, rows, cols);
  return true;
}
