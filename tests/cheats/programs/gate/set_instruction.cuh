// SPDX-License-Identifier: Apache-2.0
// A16: is wrong at one length, 5003: compared by an instruction that gives a mask and no predicate.
// caught: static rejected "set"
__global__ void set_instruction(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned mask;
  asm("set.eq.u32.s32 %0, %1, %2;" : "=r"(mask) : "r"(n), "r"(5003));
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : __uint_as_float(__float_as_uint(v) & ~mask);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  set_instruction<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
