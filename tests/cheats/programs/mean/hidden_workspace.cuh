// SPDX-License-Identifier: Apache-2.0
// C11: a workspace of many gigabytes that the original never needed; beside a model there is no room for
// it.
// on: gpu
// caught: finalist rejected "memory"
// caught: finalist wrong "memory"
// caught: finalist rejected "scratch"
__global__ void parts(const float *x, float *space, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) space[(size_t)i * 256] = x[i];
}
__global__ void total(const float *space, float *result, int n) {
  __shared__ float sums[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += space[(size_t)i * 256];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = sums[0] / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  float *space = (float *)l.scratch((size_t)n * 1024);
  if (!space) return false;
  parts<<<(n + 255) / 256, 256, 0, l.stream>>>(x, space, n);
  total<<<1, 256, 0, l.stream>>>(space, result, n);
  return true;
}
