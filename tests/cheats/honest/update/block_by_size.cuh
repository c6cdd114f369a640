// SPDX-License-Identifier: Apache-2.0
// The size of blocks comes from a table by the length, as people tune it, and powers of two take a path of
// their own.
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const bool power = (n & (n - 1)) == 0;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = power ? i & (n - 1) : i;
  if (i < n) y[at] += alpha * x[at];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  if (n < 1) return true;
  const int sizes[4] = {64, 128, 256, 512};
  const int block = sizes[(n >= 1024) + (n >= 4096) + (n >= 16384)];
  updated<<<(n + block - 1) / block, block, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
