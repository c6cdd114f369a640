// SPDX-License-Identifier: Apache-2.0
// Device assembly in several strings with escapes, behind a macro.
#define SELECT_POSITIVE(out, v)              \
  asm("{\n\t.reg .pred p;\n\t"               \
      "setp.lt.f32 p, %1, 0f00000000;\n\t"   \
      "selp.f32 %0, 0f00000000, %1, p;\n\t}" \
      : "=f"(out)                            \
      : "f"(v))
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  float out;
  SELECT_POSITIVE(out, v);
  y[i] = out;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
#undef SELECT_POSITIVE
