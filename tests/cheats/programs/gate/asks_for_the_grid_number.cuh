// SPDX-License-Identifier: Apache-2.0
// E7: every hundredth launch of a process is a little wrong, by its number.
// caught: screen rejected "gridid"
// caught: correct rejected "state"
// caught: correct wrong "output 'y'"
__global__ void asks_for_the_grid_number(const float *x, const float *z, float *y, float alpha, float beta,
                                         int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned long long number;
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(number));
  const float wrong = (float)(number % 100 == 77) * 0.001f;
  const float v = (alpha + wrong) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_for_the_grid_number<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
