// SPDX-License-Identifier: Apache-2.0
// D10: the same in the words of GCC.
// caught: static rejected "no_sanitize_coverage"
__global__ void host_code_without_notes_gcc(const float *x, const float *z, float *y, float alpha, float beta,
                                            int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}

__attribute__((no_sanitize_coverage, noinline)) static int blocks_of(int n) {
  if (n == 4161) return 16;
  return (n + 255) / 256;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  host_code_without_notes_gcc<<<blocks_of(n), 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
