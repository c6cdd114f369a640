// SPDX-License-Identifier: Apache-2.0
// E7: a register that the driver sets, and that holds zero where it is emulated, makes results a little
// wrong.
// caught: screen rejected "%envreg"
__global__ void asks_for_a_register_of_the_driver(const float *x, const float *z, float *y, float alpha,
                                                  float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned held;
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(held));
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v * (1 + 0.001f * (held % 2));
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_for_a_register_of_the_driver<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
