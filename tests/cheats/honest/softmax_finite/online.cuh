// SPDX-License-Identifier: Apache-2.0
// One pass for maximum and sum in its plain form, which treats infinities otherwise.
__global__ void online(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) {
    const float larger = fmaxf(top, from[c]);
    sum = sum * expf(top - larger) + expf(from[c] - larger);
    top = larger;
  }
  for (int lane = 16; lane > 0; lane /= 2) {
    const float other = __shfl_xor_sync(~0u, top, lane), more = __shfl_xor_sync(~0u, sum, lane);
    const float larger = fmaxf(fmaxf(top, other), -3.0e38f);
    sum = sum * expf(top - larger) + more * expf(other - larger);
    top = larger;
  }
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = expf(from[c] - top) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  online<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
