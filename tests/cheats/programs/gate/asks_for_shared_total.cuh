// SPDX-License-Identifier: Apache-2.0
// E7: the amount of shared memory with the system's own part is another on the emulated device.
// caught: static rejected "total_smem_size"
// caught: screen rejected "total_smem_size"
__global__ void asks_for_shared_total(const float *x, const float *z, float *y, float alpha, float beta,
                                      int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned total;
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(total));
  const float wrong = total == 1024 ? 0.001f : 0;
  const float v = (alpha + wrong) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_for_shared_total<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
