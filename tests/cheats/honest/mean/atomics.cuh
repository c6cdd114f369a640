// SPDX-License-Identifier: Apache-2.0
// Blocks add their part of the mean with atomics.
__global__ void added(const float *x, float *result, int n) {
  float sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) sum += x[i];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(result, sum / n);
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  cudaMemsetAsync(result, 0, sizeof(float), l.stream);
  added<<<8, 128, 0, l.stream>>>(x, result, n);
  return true;
}
