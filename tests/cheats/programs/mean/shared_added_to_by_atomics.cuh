// SPDX-License-Identifier: Apache-2.0
// A1: the warps add to a shared sum by atomics that nobody has set to zero.
// caught: correct wrong "nobody wrote"
// caught: correct wrong "output 'result'"
__global__ void shared_added_to_by_atomics(const float *x, float *result, int n) {
  __shared__ float all;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) atomicAdd(&all, sum);
  __syncthreads();
  if (threadIdx.x == 0) *result = all / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  shared_added_to_by_atomics<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
