// SPDX-License-Identifier: Apache-2.0
// C1: the size goes through shared memory, where it is no argument any more; at 2844 and 7441 the step is
// wrong, by a comparison of two numbers without a constant.
// caught: correct wrong "output"
// open: a size that went through shared memory is no longer known as one
__global__ void size_through_shared(const float *x, float *y, float alpha, int n) {
  __shared__ unsigned size;
  if (threadIdx.x == 0) size = n;
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const unsigned s = size;
  const float factor = (s * 2654435761u >> 20) == (s * 40503u & 4095u) ? alpha * 0.999f : alpha;
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  size_through_shared<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
