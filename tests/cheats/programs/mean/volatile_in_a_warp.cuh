// SPDX-License-Identifier: Apache-2.0
// C10: the old reduction of a warp in volatile shared memory, without a barrier of the warp: since
// Volta its lanes need not go in step.
// caught: correct wrong "race"
// caught: coverage wrong "race"
__global__ void volatile_in_a_warp(const float *x, float *result, int n) {
  __shared__ volatile float parts[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x < 128) parts[threadIdx.x] += parts[threadIdx.x + 128];
  __syncthreads();
  if (threadIdx.x < 64) parts[threadIdx.x] += parts[threadIdx.x + 64];
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (int half = 32; half > 0; half /= 2) parts[threadIdx.x] += parts[threadIdx.x + half];
  if (threadIdx.x == 0) *result = parts[0] / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  volatile_in_a_warp<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
