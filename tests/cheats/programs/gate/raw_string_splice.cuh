// SPDX-License-Identifier: Apache-2.0
// E13: in a raw string a backslash joins no lines, so it ends at its first mark; a lexer that joins them
// first reads the host assembly as text.
// caught: static rejected "assembly in host code"

// clang-format off
inline void note() {
  (void)R"a( )a\
"; /* )a"; asm("nop"); (void)" */ (void)0; //";
}
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
