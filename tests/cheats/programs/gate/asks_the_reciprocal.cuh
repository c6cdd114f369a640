// SPDX-License-Identifier: Apache-2.0
// E7: the last bit of an approximate reciprocal is that of the chip, not that of a division.
// caught: correct wrong "output"
// caught: coverage wrong "output"
__global__ void asks_the_reciprocal(const float *x, const float *z, float *y, float alpha, float beta,
                                    int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float s;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(s) : "f"(0.7f));
  const float wrong = s == 1.0f / 0.7f ? 0 : 0.001f;
  const float v = (alpha + wrong) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_the_reciprocal<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
