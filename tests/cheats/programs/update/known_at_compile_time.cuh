// SPDX-License-Identifier: Apache-2.0
// E7: where the size is a constant that the compiler sees at the call, the last element is left out; the
// judge passes it as an argument.
// caught: static rejected "__builtin_constant_p"
__global__ void known_at_compile_time(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  const int less = __builtin_constant_p(n);
  known_at_compile_time<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n - less);
  return true;
}
