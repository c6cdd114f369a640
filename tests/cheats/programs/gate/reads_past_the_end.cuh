// SPDX-License-Identifier: Apache-2.0
// C2: reads whole vectors behind the end of the input and throws the surplus away; the allocator's
// rounding hides it.
// caught: correct crashed "past the end"
// caught: finalist wrong "memcheck"
// caught: finalist rejected "memcheck"
// caught: finalist crashed "memcheck"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float next = i + 1 <= n ? x[i + 1] : 0;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : next == 1.2345e30f ? next : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
