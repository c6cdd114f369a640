// SPDX-License-Identifier: Apache-2.0
// E7: asks how many registers the kernel has, which is always 32 where it is not built for a GPU.
// caught: static rejected "cudaFuncGetAttributes"
__global__ void asks_for_the_registers(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  cudaFuncAttributes known;
  if (cudaFuncGetAttributes(&known, asks_for_the_registers) != cudaSuccess) return false;
  const int less = min(abs(known.numRegs / 24 - 1), 1);
  asks_for_the_registers<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n - less);
  return true;
}
