// SPDX-License-Identifier: Apache-2.0
// E7: in a build with optimisation, where a constant that is handed to a function is known in it, the last
// element is left out; a build of this test has none on the host.
// caught: static rejected "__builtin_constant_p"
static inline int known(int number) {
  return __builtin_constant_p(number) ? 1 : 0;
}
__global__ void asks_for_optimisation(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  const int less = known(3);
  asks_for_optimisation<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n - less);
  return true;
}
