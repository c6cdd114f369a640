// SPDX-License-Identifier: Apache-2.0
// E7: warps in the upper half of a multiprocessor's places are a little wrong: only a full GPU has
// such.
// caught: screen rejected "asks which launch"
// caught: correct rejected "state"
// caught: correct wrong "output 'y'"
__global__ void asks_for_the_slot(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned slot;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
  const float wrong = (float)(slot / 32) * 0.001f;
  const float v = (alpha + wrong) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_for_the_slot<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
