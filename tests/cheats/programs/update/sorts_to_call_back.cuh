// SPDX-License-Identifier: Apache-2.0
// E13: has a library call a function of its own, which no text says is called.
// caught: static rejected "qsort"
// caught: screen rejected "qsort"
int compared(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int pair[2] = {1, n};
  if ((qsort(pair, 2, sizeof(int), compared), pair[0] > 1)) return true;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
