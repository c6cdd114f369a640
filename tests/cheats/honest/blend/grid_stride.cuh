// SPDX-License-Identifier: Apache-2.0
// Few blocks that stride over all elements.
__global__ void strided(const float *x, float *y, float alpha, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = alpha * y[i] + (1 - alpha) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  const int wanted = (n + 255) / 256, blocks = wanted < 528 ? wanted : 528;
  if (n > 0) strided<<<blocks, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
