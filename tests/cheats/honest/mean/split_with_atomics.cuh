// SPDX-License-Identifier: Apache-2.0
// Blocks add their shares to the result with float atomics.
constexpr int kBlocks = 16;  // knob: 4 16 32
__global__ void shares(const float *x, float *result, int n) {
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += kBlocks * 256) sum += x[i];
  sum = block_total(sum);
  if (threadIdx.x == 0) atomicAdd(result, sum / n);
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  cudaMemsetAsync(result, 0, sizeof(float), l.stream);
  shares<<<kBlocks, 256, 0, l.stream>>>(x, result, n);
  return true;
}
