// SPDX-License-Identifier: Apache-2.0
// E7: where the output lies more than 2^40 bytes behind an input, as with memory of two kinds in one
// program, a part is left out; the kernel compares the pointers, which is seen one way only.
// caught: coverage rejected ""
// caught: finalist rejected ""
__global__ void far_apart(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float factor = (const char *)y > (const char *)x + (1ll << 40) ? 0.0f : beta;
  const float v = alpha * x[i] + factor * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  far_apart<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
