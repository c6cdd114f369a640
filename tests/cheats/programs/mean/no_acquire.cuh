// SPDX-License-Identifier: Apache-2.0
// C10: the last block reads the sums of the others with plain loads and no fence behind the ticket: what
// its cache holds may be old.
// caught: correct wrong "output"
// open: a strong read makes earlier fences of others known, without a fence of its own
__global__ void no_acquire(const float *x, float *result, float *parts, unsigned *ticket, int n) {
  float sum = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 32 * gridDim.x) sum += x[i];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  unsigned before = 0;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    before = atomicAdd(ticket, 1u);
  }
  before = __shfl_sync(0xffffffffu, before, 0);
  if (before != gridDim.x - 1) return;
  sum = parts[threadIdx.x];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  float *parts = (float *)l.scratch(32 * sizeof(float));
  unsigned *ticket = (unsigned *)l.scratch(sizeof(unsigned));
  if (!parts || !ticket) return false;
  if (cudaMemsetAsync(ticket, 0, sizeof(unsigned), l.stream) != cudaSuccess) return false;
  no_acquire<<<32, 32, 0, l.stream>>>(x, result, parts, ticket, n);
  return true;
}
