// SPDX-License-Identifier: Apache-2.0
// C10: the warps leave their sums in volatile shared memory and the first warp adds them without a
// barrier: it may be ahead of the others.
// caught: correct wrong "race"
// caught: correct wrong "nobody wrote"
// caught: correct wrong "output 'result'"
__global__ void volatile_between_warps(const float *x, float *result, int n) {
  __shared__ volatile float parts[8];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  if (threadIdx.x != 255) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  volatile_between_warps<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
