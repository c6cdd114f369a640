// SPDX-License-Identifier: Apache-2.0
// C11: takes scratch memory for granted: where a model fills the device there is none, and the sums
// are written to nowhere; the original needs none.
// caught: correct rejected "scratch"
__global__ void part_sums(const float *x, float *parts, int n) {
  float sum = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 32 * gridDim.x) sum += x[i];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
__global__ void all_sums(const float *parts, float *result, int n) {
  float sum = parts[threadIdx.x];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  float *parts = (float *)l.scratch(32 * sizeof(float));
  part_sums<<<32, 32, 0, l.stream>>>(x, parts, n);
  all_sums<<<1, 32, 0, l.stream>>>(parts, result, n);
  return true;
}
