// SPDX-License-Identifier: Apache-2.0
// E7: asks how much local memory the kernel has: none in a usual build, some in one for the debugger; there
// the last element is left out.
// caught: static rejected "cudaFuncGetAttributes"
__global__ void asks_for_the_frame(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  cudaFuncAttributes known;
  if (cudaFuncGetAttributes(&known, asks_for_the_frame) != cudaSuccess) return false;
  const int less = (int)min(known.localSizeBytes / 4, (size_t)1);
  asks_for_the_frame<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n - less);
  return true;
}
