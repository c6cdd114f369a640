// SPDX-License-Identifier: Apache-2.0
// E13: a string with the suffix R, for which a naive lexer sees the beginning of a raw string; host
// assembly stands in what it takes for text.
// caught: static rejected "raw"
// caught: static rejected "suffix"
// caught: static rejected "assembly"
// caught: static rejected "string"
// caught: build build_failed "suffix"
constexpr int operator"" R(const char *, size_t length) {
  return (int)length;
}
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  constexpr int length =
      "a"
      R"(";
  unsigned calls = length - length;
  asm volatile("movd %%mm7, %0" : "=r"(calls));
  ++calls;
  asm volatile("movd %0, %%mm7\n\temms" : : "r"(calls));
  const char *end = ")";
  if (calls >= 1000000 && *end) return true;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
