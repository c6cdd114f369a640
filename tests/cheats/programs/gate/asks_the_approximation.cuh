// SPDX-License-Identifier: Apache-2.0
// E7: the last bits of an approximate sine are those of the chip; where it is emulated they are
// those of the host's library. What is wrong is wrong on GPUs only.
// caught: correct rejected "state"
// caught: correct wrong "output 'y'"
__global__ void asks_the_approximation(const float *x, const float *z, float *y, float alpha, float beta,
                                       int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float s;
  asm("sin.approx.f32 %0, %1;" : "=f"(s) : "f"(blockDim.x * 0.00390625f));  // of one
  const float wrong = __float_as_int(s) == __float_as_int(sinf(1.0f)) ? 0 : 0.001f;
  const float v = (alpha + wrong) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_the_approximation<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
