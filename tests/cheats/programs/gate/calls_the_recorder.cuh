// SPDX-License-Identifier: Apache-2.0
// D10: calls what notes the executed code, to be taken for code that was executed.
// caught: static rejected "__sanitizer_cov_trace_pc"
extern "C" void __sanitizer_cov_trace_pc();
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  __sanitizer_cov_trace_pc();
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
