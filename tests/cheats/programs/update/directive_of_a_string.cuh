// SPDX-License-Identifier: Apache-2.0
// C9: as the variable in assembly, with its declaration outside of quotes: a macro makes a string
// of it.
// caught: static rejected "assembly"
#define TEXT_OF(x) #x
__device__ __noinline__ void declares() {
  asm volatile("ret;\n}\n" TEXT_OF(.global.align 4 .u32 hidden_count = 5;) "\n.func hidden_end() {\n ret;");
}
#undef TEXT_OF
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (n < 0) declares();
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
