// SPDX-License-Identifier: Apache-2.0
// A7: a polynomial that is right to the last bits between minus and plus one half pi, where the test
// data lies.
// caught: correct wrong "output 'y'"
__global__ void polynomial(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = fminf(fmaxf(x[i], -1.5707964f), 1.5707964f), s = v * v;
  y[i] = v * (1 + s * (-1.6666667e-1f + s * (8.3333310e-3f + s * (-1.9840874e-4f + s * 2.7525562e-6f))));
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  polynomial<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return true;
}
