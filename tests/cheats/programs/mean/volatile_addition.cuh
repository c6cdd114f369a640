// SPDX-License-Identifier: Apache-2.0
// C10: blocks add to the result one after the other by a volatile load and store: on a GPU they do
// it at once, and sums are lost.
// caught: correct wrong "race"
// caught: correct wrong "output 'result'"
__global__ void volatile_addition(const float *x, float *result, int n) {
  float sum = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 32 * gridDim.x) sum += x[i];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  volatile float *const all = result;
  if (threadIdx.x == 0) *all = *all + sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  if (cudaMemsetAsync(result, 0, sizeof(float), l.stream) != cudaSuccess) return false;
  volatile_addition<<<32, 32, 0, l.stream>>>(x, result, n);
  return true;
}
