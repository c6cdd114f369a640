// SPDX-License-Identifier: Apache-2.0
// C10: sums of blocks are handed over by atomic exchanges without a fence before the ticket: each access is
// atomic, their order is not, so the last block may take an old sum.
// caught: correct wrong "output"
// open: two atomics are never a race, whatever orders them with others
__global__ void parts_by_exchange(const float *x, float *result, float *parts, unsigned *ticket, int n) {
  float sum = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 32 * gridDim.x) sum += x[i];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  unsigned before = 0;
  if (threadIdx.x == 0) {
    atomicExch(parts + blockIdx.x, sum);
    before = atomicAdd(ticket, 1u);
  }
  before = __shfl_sync(0xffffffffu, before, 0);
  if (before != gridDim.x - 1) return;
  sum = __uint_as_float(atomicAdd((unsigned *)parts + threadIdx.x, 0u));
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  float *parts = (float *)l.scratch(32 * sizeof(float));
  unsigned *ticket = (unsigned *)l.scratch(sizeof(unsigned));
  if (!parts || !ticket) return false;
  if (cudaMemsetAsync(ticket, 0, sizeof(unsigned), l.stream) != cudaSuccess) return false;
  if (cudaMemsetAsync(parts, 0, 32 * sizeof(float), l.stream) != cudaSuccess) return false;
  parts_by_exchange<<<32, 32, 0, l.stream>>>(x, result, parts, ticket, n);
  return true;
}
