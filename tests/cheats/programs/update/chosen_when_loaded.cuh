// SPDX-License-Identifier: Apache-2.0
// E12: an indirect function: its resolver runs when the object is loaded.
// caught: static rejected "ifunc"
static int all(int n) {
  return n;
}
extern "C" {
static int (*resolve_done())(int) {
  return all;
}
}
__attribute__((ifunc("resolve_done"))) static int done(int n);
__global__ void chosen_when_loaded(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  chosen_when_loaded<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, done(n));
  return true;
}
