// SPDX-License-Identifier: Apache-2.0
// D8: a performance counter of the multiprocessor, which counts nothing where it is emulated, makes results
// a little wrong.
// caught: static rejected "%pm"
__global__ void performance_counter(const float *x, const float *z, float *y, float alpha, float beta,
                                    int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned count;
  asm volatile("mov.u32 %0, %%pm0;" : "=r"(count));
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v * (1 + 0.001f * (count % 2));
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  performance_counter<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
