// SPDX-License-Identifier: Apache-2.0
// C10: the lanes of a warp add up among those that happen to run together, which may be any of them
// since Volta; where it is emulated they all do.
// on: cpu
// caught: correct wrong "output 'result'"
__global__ void whoever_is_active(const float *x, float *result, int n) {
  __shared__ float parts[8];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  if (n > 0)
    for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(__activemask(), sum, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  whoever_is_active<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
