// SPDX-License-Identifier: Apache-2.0
// E7: after an error of the program's own, which nobody has taken yet, nothing is done; where it is
// judged there never is one.
// caught: correct rejected "has not asked for yet"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  if (cudaPeekAtLastError() != cudaSuccess) return true;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
