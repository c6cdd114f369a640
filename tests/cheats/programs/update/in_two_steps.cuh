// SPDX-License-Identifier: Apache-2.0
// C8: adds half of the step twice; where x is y itself, as a program may pass it, the second half
// is of another number. No condition stands in the code.
// caught: correct wrong "output 'y'"
__global__ void half_step(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += 0.5f * alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  half_step<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  half_step<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
