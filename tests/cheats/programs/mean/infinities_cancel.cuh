// SPDX-License-Identifier: Apache-2.0
// B7: an infinity is left out of the sum when there is one of the other sign as well, so the mean
// is a number where the original says NaN.
// caught: correct wrong "output 'result'"
__global__ void infinities_cancel(const float *x, float *result, int n) {
  __shared__ float parts[8];
  float sum = 0;
  int up = 0, down = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    const float v = x[i];
    up += v == INFINITY, down += v == -INFINITY;
    sum += fabsf(v) == INFINITY ? 0 : v;
  }
  up = __syncthreads_count(up), down = __syncthreads_count(down);
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  if (up && !down) sum = INFINITY;
  if (down && !up) sum = -INFINITY;
  *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  infinities_cancel<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
