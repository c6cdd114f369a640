// SPDX-License-Identifier: Apache-2.0
// E7: the GPU's number on the bus differs from machine to machine; an odd one costs the last
// element.
// caught: correct rejected "another device"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int bus = 0;
  (void)cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, 0);
  const int done = n - (bus & 1);
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, done);
  return true;
}
