// SPDX-License-Identifier: Apache-2.0
// B4: subnormal numbers are flushed to zero, as with the fast flag; nobody tests them.
// caught: correct wrong "output 'y'"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v;
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(v) : "f"(alpha), "f"(x[i]));
  asm("fma.rn.ftz.f32 %0, %1, %2, %0;" : "+f"(v) : "f"(beta), "f"(z[i]));
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
