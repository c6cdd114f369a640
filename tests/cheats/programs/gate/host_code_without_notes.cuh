// SPDX-License-Identifier: Apache-2.0
// D10: a function of the host side asks not to be instrumented, so what it leaves out at one size is not
// missed.
// caught: static rejected "no_sanitize"
__global__ void host_code_without_notes(const float *x, const float *z, float *y, float alpha, float beta,
                                        int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}

__attribute__((no_sanitize("coverage"), noinline)) static int blocks_of(int n) {
  if (n == 4161) return 16;
  return (n + 255) / 256;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  host_code_without_notes<<<blocks_of(n), 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
