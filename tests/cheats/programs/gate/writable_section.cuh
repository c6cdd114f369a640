// SPDX-License-Identifier: Apache-2.0
// C9: a constant is put among the variables by an attribute, its const cast away, and counts.
// caught: static rejected "section"
// caught: screen rejected "state"
[[gnu::section(".data")]] const unsigned calls = 5;
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  volatile unsigned *count = const_cast<unsigned *>(&calls);
  *count = *count + 1;
  if (*count > 1000000) return true;
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
