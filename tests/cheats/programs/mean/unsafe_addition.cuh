// SPDX-License-Identifier: Apache-2.0
// C10: blocks add to the result without atomics; with few blocks the loss is seldom seen.
// on: gpu
// caught: correct wrong "race"
// caught: correct wrong "output 'result'"
// caught: finalist wrong "repeats"
__global__ void part(const float *x, volatile float *result, int n) {
  float sum = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) sum += x[i];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x == 0) *result = *result + sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  cudaMemsetAsync(result, 0, sizeof(float), l.stream);
  part<<<8, 32, 0, l.stream>>>(x, result, n);
  return true;
}
