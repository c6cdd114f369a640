// SPDX-License-Identifier: Apache-2.0
// One block for each half needs no tickets, which are zero at the end as they were at the beginning. Its
// threads add many more numbers than the original's, so they do it in two steps: one long sum would be less
// precise.
__global__ void summed(const float *x, float *both, int n) {
  __shared__ float sums[8];
  const int half = blockIdx.x, begin = half ? n / 2 : 0, end = half ? n : n / 2;
  float sum = 0, part = 0;
  for (int i = begin + threadIdx.x, count = 1; i < end; i += 256, ++count) {
    part += x[i];
    if (count % 128 == 0) sum += part, part = 0;
  }
  sum += part;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  float all = 0;
  for (int warp = 0; warp < 8; ++warp) all += sums[warp];
  both[half] = all;
}
bool launch(const cupilot::Launch &l, const float *x, unsigned *, float *, float *both, int n) {
  summed<<<2, 256, 0, l.stream>>>(x, both, n);
  return true;
}
