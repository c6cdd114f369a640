// SPDX-License-Identifier: Apache-2.0
// E7: a program on its second GPU gets half of the work done: shifted by the number of the device,
// which is always 0 where it is judged.
// caught: correct rejected "another device"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return false;
  const int done = n >> device;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, done);
  return true;
}
