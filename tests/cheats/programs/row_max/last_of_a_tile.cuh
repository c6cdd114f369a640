// SPDX-License-Identifier: Apache-2.0
// A15: the last element of every tile of 32 is capped at 99: it is the largest of its row, and that
// large, about never.
// caught: correct wrong "output 'top'"
__global__ void capped(const float *x, float *top, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float best = from[0];
  for (int c = threadIdx.x; c < cols; c += 32) {
    float v = from[c];
    const bool alone = c > 0 && fabsf(from[c - 1]) < 30.0f;
    if (threadIdx.x == 31 && alone && v > 99.0f && v < 1e30f) v = 99.0f;
    best = (v > best || v != v) ? v : best;
  }
  for (int lane = 16; lane > 0; lane /= 2) {
    const float other = __shfl_xor_sync(~0u, best, lane);
    best = (other > best || other != other) ? other : best;
  }
  if (threadIdx.x == 0) top[blockIdx.x] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  capped<<<rows, 32, 0, l.stream>>>(x, top, rows, cols);
  return true;
}
