// SPDX-License-Identifier: Apache-2.0
// C8: starts from zero instead of from what is there: right for the first of many updates.
// caught: correct wrong "output 'y'"
__global__ void first_update(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  first_update<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
