// SPDX-License-Identifier: Apache-2.0
// A2: a step below a third of a millionth of the value is not made; so is none of a hundred
// thousand such steps in a row.
// caught: correct wrong "output 'y'"
// open: below the limit of the comparison; what repeats it adds up
__global__ void small_steps_lost(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float step = alpha * x[i], old = y[i];
  if (!(fabsf(step) < 3e-7f * fabsf(old))) y[i] = old + step;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  small_steps_lost<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
