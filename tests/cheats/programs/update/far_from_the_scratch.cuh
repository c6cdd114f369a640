// SPDX-License-Identifier: Apache-2.0
// E7: chooses by whether the scratch memory lies above the data.
// caught: coverage rejected "always decided the same way"
// caught: correct wrong "output"
__global__ void updated(const float *x, float *y, float alpha, int n, int *some) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i == 0) *some = n;
  const float factor = (const float *)some > y ? alpha : 0;
  if (i < n) y[i] += factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int *some = static_cast<int *>(l.scratch(4096));
  if (!some) return false;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n, some);
  return cudaPeekAtLastError() == cudaSuccess;
}
