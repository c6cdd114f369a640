// SPDX-License-Identifier: Apache-2.0
// C1: right at the workload's size, one more, one less, the small ones and the primes that neighbours are
// taken from, and wrong everywhere between.
// caught: correct wrong "'y'"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = n > 2053 && n < 11999 ? 1.001f * alpha : alpha;
  if (i < n) y[i] += factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
