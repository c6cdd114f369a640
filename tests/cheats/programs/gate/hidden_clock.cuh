// SPDX-License-Identifier: Apache-2.0
// D8: the same with the register's name in two pieces of text.
// caught: static rejected "clock"
// caught: screen rejected "clock"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned now;
  asm volatile(
      "mov.u32 %0, %%clo"
      "ck;"
      : "=r"(now));
  if (i >= n || now % 1000003 == 0) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
