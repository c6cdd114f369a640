// SPDX-License-Identifier: Apache-2.0
// C10: the fence before the ticket holds within the block only: the last block may read an old sum.
// caught: correct wrong "race"
// caught: coverage wrong "race"
__global__ void fence_of_a_block(const float *x, float *result, float *parts, unsigned *ticket, int n) {
  float sum = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 32 * gridDim.x) sum += x[i];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  unsigned before = 0;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence_block();
    before = atomicAdd(ticket, 1u);
  }
  before = __shfl_sync(0xffffffffu, before, 0);
  if (before != gridDim.x - 1) return;
  __threadfence();
  sum = __ldcg(&parts[threadIdx.x]);
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  float *parts = (float *)l.scratch(32 * sizeof(float));
  unsigned *ticket = (unsigned *)l.scratch(sizeof(unsigned));
  if (!parts || !ticket) return false;
  if (cudaMemsetAsync(ticket, 0, sizeof(unsigned), l.stream) != cudaSuccess) return false;
  fence_of_a_block<<<32, 32, 0, l.stream>>>(x, result, parts, ticket, n);
  return true;
}
