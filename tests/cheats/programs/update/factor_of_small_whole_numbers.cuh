// SPDX-License-Identifier: Apache-2.0
// A14: a factor without a fraction is taken for a whole number of 32 bits: a large one is cut off.
// caught: correct wrong "output 'y'"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float whole = (float)(int)alpha;
  if (i < n) y[i] += (truncf(alpha) == alpha ? whole : alpha) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
