// SPDX-License-Identifier: Apache-2.0
// D1: half of the work on the stream that the runtime keeps for each thread, told by its small number.
// caught: correct rejected "l.stream"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  const int done = (unsigned long long)l.stream == 2 ? n / 2 : n;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, done);
  return true;
}
