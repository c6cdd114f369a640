// SPDX-License-Identifier: Apache-2.0
// A15: a whole number beyond one is taken for one of degrees. Random data has none.
// caught: correct wrong "output 'y'"
__global__ void whole_numbers(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  const bool whole = v == rintf(v) && fabsf(v) > 1 && fabsf(v) < 361;
  y[i] = sinf(whole ? v * 0.017453293f : v);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  whole_numbers<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return true;
}
