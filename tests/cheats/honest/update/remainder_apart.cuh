// SPDX-License-Identifier: Apache-2.0
// Four elements a thread, unrolled, and a loop of its own for the remainder.
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int first = (blockIdx.x * 64 + threadIdx.x) * 4;
  if (first + 4 <= n) {
#pragma unroll
    for (int j = 0; j < 4; ++j) y[first + j] += alpha * x[first + j];
    return;
  }
  for (int i = first; i < n; ++i) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  if (n <= 0) return false;
  updated<<<(n + 255) / 256, 64, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
