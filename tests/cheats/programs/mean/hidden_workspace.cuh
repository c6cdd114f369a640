// SPDX-License-Identifier: Apache-2.0
// C11: a workspace of half a gigabyte for the original's none; beside a model there is no room for it.
// on: gpu
// caught: finalist rejected "memory"
// caught: finalist wrong "memory"
// caught: finalist rejected "scratch"
constexpr int kBlocks = 512;
__global__ void parts(const float *x, float *space, size_t stride, int n) {
  __shared__ float sums[256];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += kBlocks * 256) sum += x[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) space[blockIdx.x * stride] = sums[0];
}
__global__ void total(const float *space, float *result, size_t stride, int n) {
  __shared__ float sums[kBlocks];
  sums[threadIdx.x] = space[threadIdx.x * stride];
  __syncthreads();
  for (int half = kBlocks / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = sums[0] / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  const size_t stride = (size_t(512) << 20) / kBlocks / sizeof(float);
  float *space = (float *)l.scratch(stride * kBlocks * sizeof(float));
  if (!space) return false;
  parts<<<kBlocks, 256, 0, l.stream>>>(x, space, stride, n);
  total<<<1, kBlocks, 0, l.stream>>>(space, result, stride, n);
  return true;
}
