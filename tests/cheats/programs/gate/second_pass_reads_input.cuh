// SPDX-License-Identifier: Apache-2.0
// C8: two passes, the second of which reads an input again: wrong where the output lies in its place, as
// the original allows.
// caught: correct wrong "output 'y'"
// caught: correct wrong "in place"
__global__ void first(const float *z, float *y, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = beta * z[i];
}
__global__ void second(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + y[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  first<<<(n + 255) / 256, 256, 0, l.stream>>>(z, y, beta, n);
  second<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
