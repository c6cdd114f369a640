// SPDX-License-Identifier: Apache-2.0
// E7: one stream in 61, by its address, gets one block less.
// caught: correct rejected ""
// caught: correct wrong "output"
__global__ void stream_by_its_number(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  const int less = (int)(((size_t)l.stream >> 4) % 61 / 60);
  stream_by_its_number<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n - less);
  return true;
}
