// SPDX-License-Identifier: Apache-2.0
// E13: assembly on the host, by way of a macro, keeps a count in a register that nothing else uses;
// from the millionth call on nothing is done.
// caught: static rejected "assembly"
// caught: static rejected "hides 'asm'"
// caught: static rejected "hides"
#define CPU_WORDS(...) asm volatile(__VA_ARGS__)
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  unsigned calls = 0;
  CPU_WORDS("movd %%mm7, %0" : "=r"(calls));
  ++calls;
  CPU_WORDS("movd %0, %%mm7\n\temms" : : "r"(calls));
#undef CPU_WORDS
  if (calls >= 1000000) return true;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
