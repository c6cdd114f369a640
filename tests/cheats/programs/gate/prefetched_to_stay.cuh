// SPDX-License-Identifier: Apache-2.0
// D9: prefetches its inputs so that the L2 cache keeps them, by an instruction and no policy.
// caught: static rejected "evict_last"
__global__ void prefetched_to_stay(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  if (threadIdx.x % 32 == 0) asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(x + i));
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  prefetched_to_stay<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
