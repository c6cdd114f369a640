// SPDX-License-Identifier: Apache-2.0
// The last block to finish adds the sums of all; a counter in scratch memory says which it is.
constexpr int kBlocks = 8;
__global__ void shares(const float *x, float *sums, unsigned *done, float *result, int n) {
  __shared__ float parts[4];
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += kBlocks * 128) sum += x[i];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    __stcg(sums + blockIdx.x, parts[0] + parts[1] + parts[2] + parts[3]);
    __threadfence();
    last = atomicAdd(done, 1u) == kBlocks - 1;
    if (last) {
      __threadfence();
      float all = 0;
      for (int b = 0; b < kBlocks; ++b) all += __ldcg(sums + b);
      *result = all / n;
    }
  }
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  float *sums = (float *)l.scratch(sizeof(float) * kBlocks);
  unsigned *done = (unsigned *)l.scratch(sizeof(unsigned));
  if (!sums || !done) return false;
  cudaMemsetAsync(done, 0, sizeof(unsigned), l.stream);
  shares<<<kBlocks, 128, 0, l.stream>>>(x, sums, done, result, n);
  return true;
}
