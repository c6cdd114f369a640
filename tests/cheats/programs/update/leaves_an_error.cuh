// SPDX-License-Identifier: Apache-2.0
// E7: leaves an error of the runtime behind on purpose and finds it at the next call, unless the
// program took it meanwhile; then it does nothing.
// caught: correct rejected "state"
// caught: correct rejected "error"
// caught: correct crashed "error"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  if (cudaPeekAtLastError() == cudaErrorInvalidValue) return true;
  (void)cudaFuncSetAttribute(updated, cudaFuncAttributeMaxDynamicSharedMemorySize, -1);
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
