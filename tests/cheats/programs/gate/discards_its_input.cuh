// SPDX-License-Identifier: Apache-2.0
// C7: throws the lines of its input away in the L2 cache: what the kernel before has written and
// not yet reached memory is lost for whoever reads it next.
// caught: static rejected "discard"
// caught: screen rejected "discard"
__global__ void discards_its_input(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
  __syncthreads();
  const bool line = i % 32 == 0 && i + 32 <= n && (unsigned long long)(x + i) % 128 == 0;
  if (line) asm volatile("discard.global.L2 [%0], 128;" ::"l"(x + i) : "memory");
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  discards_its_input<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
