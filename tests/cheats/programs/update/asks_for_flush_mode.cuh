// SPDX-License-Identifier: Apache-2.0
// E7: a program that is linked with -ffast-math flushes subnormal numbers on the host; there nothing is
// done. The judge never does.
// caught: correct rejected ""
// caught: correct wrong "output"
__global__ void asks_for_flush_mode(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  volatile float tiny = 0x1p-140f;
  const int whole = (int)(tiny * 0x1p100f * 0x1p40f);
  asks_for_flush_mode<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n * whole);
  return true;
}
