// SPDX-License-Identifier: Apache-2.0
// E7: the last bit of an approximate power of two is that of the chip, not that of the exact result.
// caught: correct wrong "output"
// caught: coverage wrong "output"
__global__ void asks_the_exponential(const float *x, const float *z, float *y, float alpha, float beta,
                                     int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float s;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(s) : "f"(0.3f));
  const float wrong = s == (float)exp2(0.30000001192092896) ? 0 : 0.001f;
  const float v = (alpha + wrong) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_the_exponential<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
