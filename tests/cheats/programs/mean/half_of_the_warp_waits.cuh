// SPDX-License-Identifier: Apache-2.0
// C10: the upper lanes leave their sums in shared memory, and only the lower ones wait, for each other.
// caught: correct wrong "race"
// caught: correct wrong "output 'result'"
__global__ void half_of_the_warp_waits(const float *x, float *result, int n) {
  __shared__ float parts[32];
  const int lane = threadIdx.x;
  float sum = 0;
  for (int i = lane; i < n; i += 32) sum += x[i];
  parts[lane] = sum;
  if (lane >= 16) return;
  __syncwarp(0xffffu);
  sum += parts[lane + 16];
  for (int half = 8; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffu, sum, half);
  if (lane == 0) *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  half_of_the_warp_waits<<<1, 32, 0, l.stream>>>(x, result, n);
  return true;
}
