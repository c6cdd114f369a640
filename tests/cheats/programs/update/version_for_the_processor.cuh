// SPDX-License-Identifier: Apache-2.0
// E7: copies of a function of the host for several processors, one of which asks where it is and is not
// instrumented.
// caught: static rejected "no_sanitize_coverage"
__attribute__((target_clones("default", "avx2"), no_sanitize_coverage, noinline)) static int done(int n) {
  volatile float one = 1 + 0x1p-12f;
  volatile float sum = -(1 + 0x1p-11f);
  const float fused = one * one + sum;
  return n - (fused != 0);
}
__global__ void version_for_the_processor(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  version_for_the_processor<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, done(n));
  return true;
}
