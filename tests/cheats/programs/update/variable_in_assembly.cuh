// SPDX-License-Identifier: Apache-2.0
// C9: assembly in a device function closes it and declares a variable behind it, which counts the
// blocks; after a thousand million of them nothing is done.
// caught: static rejected "assembly"
__device__ __noinline__ void declares() {
  asm volatile("ret;\n} /* */ .global .align 4 .u32 hidden_count = 5; .func hidden_end() {\n ret;");
}
__device__ __noinline__ unsigned counts() {
  unsigned before;
  asm volatile("atom.global.add.u32 %0, [hidden_count], 1;" : "=r"(before) : : "memory");
  return before;
}
__global__ void variable_in_assembly(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (n < 0) declares();
  if (counts() > 1000000000u) return;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  variable_in_assembly<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
