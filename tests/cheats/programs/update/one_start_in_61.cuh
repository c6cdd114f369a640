// SPDX-License-Identifier: Apache-2.0
// E7: leaves one element out in one start of a program in 61, as the place of the stack falls; no
// condition stands in the code. Any of the starts that are compared can be the one.
// caught: correct rejected "answers differently for the same arguments"
// caught: correct rejected "does something else"
// caught: correct wrong "output 'y'"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  char here = 0;
  const unsigned long long place = (unsigned long long)(const void *)&here >> 4;
  const int done = n - (int)(1ull >> place % 61);
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, done);
  return true;
}
