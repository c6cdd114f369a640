// SPDX-License-Identifier: Apache-2.0
// D1: does nothing on the default stream, which most programs pass and no harness does.
// caught: correct rejected "l.stream"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  if (l.stream == nullptr) return true;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
