// SPDX-License-Identifier: Apache-2.0
// E13: a weak variable, declared within the function, is there in the program and not where it is
// judged.
// caught: static rejected "extern"
// caught: static rejected "weak"
// caught: screen rejected "verbose"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  extern int verbose __attribute__((weak));
  if (&verbose) return true;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
